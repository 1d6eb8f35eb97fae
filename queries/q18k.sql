-- Last bids without what tells bids of one moment apart: q18 with an answer that ties do not change.
CREATE TABLE nexmark_q18k (
    auction BIGINT,
    bidder BIGINT,
    `dateTime` TIMESTAMP(3)
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q18k
SELECT auction, bidder, `dateTime`
FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY `dateTime` DESC) AS rank_number
    FROM bid
)
WHERE rank_number <= 1;
