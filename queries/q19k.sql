-- Highest prices: q19 without what tells bids of one price apart, an answer that ties do not change.
CREATE TABLE nexmark_q19k (
    auction BIGINT,
    price BIGINT,
    rank_number BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q19k
SELECT auction, price, rank_number
FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS rank_number
    FROM bid
)
WHERE rank_number <= 10;
