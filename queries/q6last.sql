-- Average selling price, the last one: of each seller the row of q6 that stands behind all others.
CREATE TABLE nexmark_q6last (
    seller BIGINT,
    avg_price BIGINT
) WITH (
    'connector' = 'blackhole'
);

CREATE VIEW nexmark_winner AS
SELECT id, seller, final, `dateTime`
FROM (
    SELECT
        A.id, A.seller, B.price AS final, B.`dateTime`,
        ROW_NUMBER() OVER (PARTITION BY A.id, A.seller ORDER BY B.price DESC) AS rownum
    FROM auction AS A, bid AS B
    WHERE A.id = B.auction AND B.`dateTime` BETWEEN A.`dateTime` AND A.expires
)
WHERE rownum <= 1;

INSERT INTO nexmark_q6last
SELECT seller, avg_price
FROM (
    SELECT
        seller, avg_price, place,
        ROW_NUMBER() OVER (PARTITION BY seller ORDER BY place DESC) AS rownum
    FROM (
        SELECT
            seller,
            AVG(final) OVER w AS avg_price,
            ROW_NUMBER() OVER (PARTITION BY seller ORDER BY `dateTime`) AS place
        FROM nexmark_winner
        WINDOW w AS (PARTITION BY seller ORDER BY `dateTime` ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)
    )
)
WHERE rownum <= 1;
