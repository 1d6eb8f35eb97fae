package nexmark

// Columns is a set of the columns of the three kinds.
type Columns uint32

// The columns, in the order of the tables. BidChannel stands for the channel and the URL, which are drawn together.
const (
	PersonID Columns = 1 << iota
	PersonName
	PersonEmail
	PersonCard
	PersonCity
	PersonState
	PersonTime
	PersonExtra
	AuctionID
	AuctionItem
	AuctionDescription
	AuctionInitialBid
	AuctionReserve
	AuctionTime
	AuctionExpires
	AuctionSeller
	AuctionCategory
	AuctionExtra
	BidAuction
	BidBidder
	BidPrice
	BidChannel
	BidTime
	BidExtra
	// AllColumns is the set of them all.
	AllColumns Columns = 1<<iota - 1

	allPerson  = AuctionID - 1
	allAuction = BidAuction - AuctionID
	allBid     = AllColumns - allPerson - allAuction
)
