-- A removed host keeps its row, so that its history keeps a cloud and a name.
ALTER TABLE "host" ADD COLUMN "removed_at" TIMESTAMPTZ(3),
ADD COLUMN "removed_by" TEXT,
ADD COLUMN "removed_reason" TEXT,
ADD COLUMN "merged_into_id" INTEGER;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "host"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The hosts that are not removed. A migration that adds a column to host also replaces this view.
CREATE VIEW "current_host" AS SELECT * FROM "host" WHERE "removed_at" IS NULL;

-- A host and the removed hosts whose history it continues.
CREATE FUNCTION "host_lineage"("of_host" INTEGER) RETURNS TABLE ("id" INTEGER) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE line AS (
    SELECT of_host AS id UNION SELECT h.id FROM host h JOIN line l ON h.merged_into_id = l.id
  )
  SELECT l.id FROM line l
$$;
