-- Bidders who sell: each bid beside the person who made it and every auction that this person has opened.
CREATE TABLE nexmark_q23 (
    bidder BIGINT,
    price BIGINT,
    channel VARCHAR,
    url VARCHAR,
    bid_extra VARCHAR,
    person_id BIGINT,
    name VARCHAR,
    emailAddress VARCHAR,
    creditCard VARCHAR,
    city VARCHAR,
    state VARCHAR,
    person_extra VARCHAR,
    itemName VARCHAR,
    description VARCHAR,
    initialBid BIGINT,
    reserve BIGINT,
    auction_dateTime TIMESTAMP(3),
    expires TIMESTAMP(3),
    seller BIGINT,
    category BIGINT,
    auction_extra VARCHAR
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q23
SELECT
    B.bidder, B.price, B.channel, B.url, B.extra,
    P.id, P.name, P.emailAddress, P.creditCard, P.city, P.state, P.extra,
    A.itemName, A.description, A.initialBid, A.reserve, A.`dateTime`, A.expires, A.seller, A.category, A.extra
FROM bid AS B
INNER JOIN person AS P ON P.id = B.bidder
INNER JOIN auction AS A ON A.seller = B.bidder;
