-- Price dips: of each bidder at each auction a fall of prices, and the first bid above the last but one of it.
CREATE TABLE nexmark_cep0 (
    auction BIGINT,
    bidder BIGINT,
    start_time TIMESTAMP(3),
    bottom_time TIMESTAMP(3),
    end_time TIMESTAMP(3)
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_cep0
SELECT auction, bidder, start_time, bottom_time, end_time
FROM bid MATCH_RECOGNIZE (
    PARTITION BY auction, bidder
    ORDER BY `dateTime`
    MEASURES
        HIGH.`dateTime` AS start_time,
        LAST(DOWN.`dateTime`) AS bottom_time,
        UP.`dateTime` AS end_time
    ONE ROW PER MATCH
    AFTER MATCH SKIP TO LAST UP
    PATTERN (HIGH DOWN+ UP)
    DEFINE
        DOWN AS DOWN.price < LAST(DOWN.price, 1)
            OR LAST(DOWN.price, 1) IS NULL AND DOWN.price < HIGH.price,
        UP AS UP.price > LAST(DOWN.price, 1)
) AS dips;
