-- Average selling price: of each seller, with every auction that was sold, the mean price of the last eleven.
CREATE TABLE nexmark_q6 (
    seller BIGINT,
    avg_price BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q6
SELECT
    seller,
    AVG(final) OVER (
        PARTITION BY seller ORDER BY `dateTime` ROWS BETWEEN 10 PRECEDING AND CURRENT ROW
    )
FROM (
    SELECT
        A.id, A.seller, B.price AS final, B.`dateTime`,
        ROW_NUMBER() OVER (PARTITION BY A.id, A.seller ORDER BY B.price DESC) AS rownum
    FROM auction AS A, bid AS B
    WHERE A.id = B.auction AND B.`dateTime` BETWEEN A.`dateTime` AND A.expires
)
WHERE rownum <= 1;
