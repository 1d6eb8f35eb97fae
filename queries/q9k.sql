-- Winning bids without what tells bids of one price and moment apart: q9 with an answer that ties do not change.
CREATE TABLE nexmark_q9k (
    id BIGINT,
    price BIGINT,
    bid_dateTime TIMESTAMP(3)
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q9k
SELECT id, price, bid_dateTime
FROM (
    SELECT
        A.id, B.price, B.`dateTime` AS bid_dateTime,
        ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.`dateTime` ASC) AS rownum
    FROM auction AS A, bid AS B
    WHERE A.id = B.auction AND B.`dateTime` BETWEEN A.`dateTime` AND A.expires
)
WHERE rownum <= 1;
