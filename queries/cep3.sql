-- Sudden drops: a bid that is 50 below another one of the same bidder at the same auction, less than 5 seconds before.
CREATE TABLE nexmark_cep3 (
    auction BIGINT,
    bidder BIGINT,
    drop_time TIMESTAMP(3),
    drop_by BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_cep3
SELECT auction, bidder, drop_time, drop_by
FROM bid MATCH_RECOGNIZE (
    PARTITION BY auction, bidder
    ORDER BY `dateTime`
    MEASURES
        C.`dateTime` AS drop_time,
        A.price - C.price AS drop_by
    ONE ROW PER MATCH
    AFTER MATCH SKIP PAST LAST ROW
    PATTERN (A B* C) WITHIN INTERVAL '5' SECOND
    DEFINE
        B AS B.price > A.price - 50,
        C AS C.price < A.price - 50
) AS drops;
