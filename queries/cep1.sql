-- Cheap times: bids of a bidder at an auction in a row whose average price stays below 10000, and each bid in one of them.
CREATE TABLE nexmark_cep1 (
    auction BIGINT,
    bidder BIGINT,
    start_time TIMESTAMP(3),
    end_time TIMESTAMP(3),
    avg_price BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_cep1
SELECT auction, bidder, start_time, end_time, avg_price
FROM bid MATCH_RECOGNIZE (
    PARTITION BY auction, bidder
    ORDER BY `dateTime`
    MEASURES
        FIRST(A.`dateTime`) AS start_time,
        LAST(A.`dateTime`) AS end_time,
        AVG(A.price) AS avg_price
    ONE ROW PER MATCH
    AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A+ B)
    DEFINE
        A AS AVG(A.price) < 10000
) AS cheap;
