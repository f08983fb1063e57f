-- Ends a transaction that was sent in one go where hosts no longer are as its sender knows them.
CREATE FUNCTION "require_hosts_as_known"("known" BIGINT, "asked" INTEGER) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF known <> asked THEN
    RAISE EXCEPTION '% of % hosts are no longer as this console knows them', asked - known, asked USING ERRCODE = 'SB001';
  END IF;
END
$$;
