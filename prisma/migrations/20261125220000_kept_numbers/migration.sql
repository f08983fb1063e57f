-- A console that writes a group of reports in one go sends the numbers of the history as it keeps them. Ends the transaction where
-- one of them is not there any more.
CREATE FUNCTION "history_number_gone"("number" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'number % of the history is no longer as this console knows it', number USING ERRCODE = 'SB002';
END
$$;

-- A mark commits with the rows that it stands for: whoever sees it sees them, and one that commits late is found late.
CREATE OR REPLACE FUNCTION "roll_up_mark_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows that are carried out of a month that goes repeat what is known.
  IF current_setting('sliceboard.carrying', true) = 'on' THEN RETURN NULL; END IF;
  -- The transaction has marked by itself all that it writes.
  IF current_setting('sliceboard.marked', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO roll_up_mark (cloud_id, at)
  SELECT h.cloud_id, min(n.at) FROM new_rows n JOIN host h ON h.id = n.host_id GROUP BY h.cloud_id;
  RETURN NULL;
END
$$;
