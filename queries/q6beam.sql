-- Average selling price as Beam has it: of each seller the mean price of the last ten auctions that met their reserve.
CREATE TABLE nexmark_q6beam (
    seller BIGINT,
    avg_price BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q6beam
SELECT
    seller,
    CAST(FLOOR(CAST(SUM(final) AS DOUBLE) / COUNT(*) + 0.5) AS BIGINT)
FROM (
    SELECT
        seller, final,
        ROW_NUMBER() OVER (PARTITION BY seller ORDER BY `dateTime` DESC, final DESC) AS place
    FROM (
        SELECT
            A.id, A.seller, B.price AS final, B.`dateTime`,
            ROW_NUMBER() OVER (PARTITION BY A.id, A.seller ORDER BY B.price DESC, B.`dateTime`) AS rownum
        FROM auction AS A, bid AS B
        WHERE A.id = B.auction AND B.`dateTime` < A.expires AND B.price >= A.reserve
    )
    WHERE rownum <= 1
)
WHERE place <= 10
GROUP BY seller;
