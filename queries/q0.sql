-- Pass through: all bids as they come, to measure what a source and a sink cost by themselves.
CREATE TABLE nexmark_q0 (
    auction BIGINT,
    bidder BIGINT,
    price BIGINT,
    `dateTime` TIMESTAMP(3),
    extra VARCHAR
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q0
SELECT auction, bidder, price, `dateTime`, extra
FROM bid;
