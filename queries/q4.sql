-- Average price of a category: what the auctions of each category were sold for on average.
CREATE TABLE nexmark_q4 (
    id BIGINT,
    final BIGINT
) WITH (
    'connector' = 'blackhole'
);

INSERT INTO nexmark_q4
SELECT
    Q.category,
    AVG(Q.final)
FROM (
    SELECT MAX(B.price) AS final, A.category
    FROM auction AS A, bid AS B
    WHERE A.id = B.auction AND B.`dateTime` BETWEEN A.`dateTime` AND A.expires
    GROUP BY A.id, A.category
) AS Q
GROUP BY Q.category;
