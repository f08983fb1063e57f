-- AlterTable
ALTER TABLE "pgpu_cloud" ADD COLUMN "stranded_because" TEXT;

-- AlterTable
ALTER TABLE "pgpu_cloud_change" ADD COLUMN "stranded_because" TEXT;

-- AlterTable
ALTER TABLE "finding_event" ADD COLUMN "severity" TEXT,
ADD COLUMN "sentence" TEXT;

-- What was told before goes by the words that the finding has now; from here on they stay.
UPDATE "finding_event" e SET "severity" = f."severity", "sentence" = f."body"->>'sentence'
FROM "finding" f WHERE f."id" = e."finding_id" AND e."kind" IN ('opened', 'closed', 'reopened');

-- CreateTable
CREATE TABLE "review" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "period" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "filter_by" TEXT NOT NULL,
    "filter_key" TEXT NOT NULL,
    "period_from" TIMESTAMPTZ(3) NOT NULL,
    "period_until" TIMESTAMPTZ(3) NOT NULL,
    "region" TEXT,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by" TEXT NOT NULL,
    "content_version" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,

    CONSTRAINT "review_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "review_cloud_id_period_time_zone_filter_by_filter_key_key" ON "review"("cloud_id", "period", "time_zone", "filter_by", "filter_key");

-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was reported for a month stays: the application's database role can add a review and nothing else.
CREATE FUNCTION "review_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'review is append-only, % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "review_append_only" BEFORE UPDATE OR DELETE ON "review"
  FOR EACH ROW EXECUTE FUNCTION "review_refuse_change"();

CREATE TRIGGER "review_not_truncated" BEFORE TRUNCATE ON "review"
  FOR EACH STATEMENT EXECUTE FUNCTION "review_refuse_change"();
