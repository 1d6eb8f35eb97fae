package oracle

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func q0(events []Event) (out []string) {
	for _, b := range bids(events) {
		out = append(out, line(b.Auction, b.Bidder, b.Price, b.Time, b.Extra))
	}
	return out
}

// reduced is 0.908 times a price, in thousandths, and as text.
func reduced(price int64) (int64, string) {
	if price == Null {
		return Null, NullText
	}
	v := price * 908
	return v, fmt.Sprintf("%d.%03d", v/1000, v%1000)
}

func q1(events []Event) (out []string) {
	for _, b := range bids(events) {
		_, price := reduced(b.Price)
		out = append(out, line(b.Auction, b.Bidder, price, b.Time, b.Extra))
	}
	return out
}

func q2(events []Event) (out []string) {
	for _, b := range bids(events) {
		if b.Auction != Null && b.Auction%123 == 0 {
			out = append(out, line(b.Auction, b.Price))
		}
	}
	return out
}

func q13(events []Event) (out []string) {
	for _, b := range bids(events) {
		if b.Auction != Null {
			out = append(out, line(b.Auction, b.Bidder, b.Price, b.Time, strconv.FormatInt(b.Auction%10_000, 10)))
		}
	}
	return out
}

func q14(events []Event) (out []string) {
	for _, b := range bids(events) {
		price, text := reduced(b.Price)
		if price == Null || price <= 1_000_000_000 || price >= 50_000_000_000 {
			continue
		}
		kind := "otherTime"
		switch h := time.UnixMilli(b.Time).UTC().Hour(); {
		case h >= 8 && h <= 18:
			kind = "dayTime"
		case h <= 6 || h >= 20:
			kind = "nightTime"
		}
		out = append(out, line(b.Auction, b.Bidder, text, kind, b.Time, b.Extra, int64(strings.Count(b.Extra, "c"))))
	}
	return out
}

var (
	channelID = regexp.MustCompile(`(?:&|^)channel_id=([^&]*)`)
	numbered  = map[string]string{"apple": "0", "google": "1", "facebook": "2", "baidu": "3"}
)

func q21(events []Event) (out []string) {
	for _, b := range bids(events) {
		id, known := numbered[strings.ToLower(b.Channel)]
		if m := channelID.FindStringSubmatch(b.URL); !known && m != nil {
			id, known = m[1], true
		}
		if known {
			out = append(out, line(b.Auction, b.Bidder, b.Price, b.Channel, id))
		}
	}
	return out
}

func q22(events []Event) (out []string) {
	for _, b := range bids(events) {
		row := []any{b.Auction, b.Bidder, b.Price, b.Channel}
		parts := strings.Split(b.URL, "/")
		for i := 3; i <= 5; i++ {
			if b.URL == NullText || i >= len(parts) {
				row = append(row, NullText)
			} else {
				row = append(row, parts[i])
			}
		}
		out = append(out, line(row...))
	}
	return out
}
