-- Processing time windows of a clock that shows each row's event time: q12 with an answer that can be checked.
SET 'streamsql.clock' = 'rowtime';

CREATE TABLE nexmark_q12e (
    bidder BIGINT,
    bid_count BIGINT,
    starttime TIMESTAMP(3),
    endtime TIMESTAMP(3)
) WITH (
    'connector' = 'blackhole'
);

CREATE VIEW bid_proctime AS
SELECT *, PROCTIME() AS p_time
FROM bid;

INSERT INTO nexmark_q12e
SELECT bidder, COUNT(*) AS bid_count, window_start AS starttime, window_end AS endtime
FROM TABLE(TUMBLE(TABLE bid_proctime, DESCRIPTOR(p_time), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end;
