-- CreateTable
CREATE TABLE "roll_up" (
    "cloud_id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "roll_up_pkey" PRIMARY KEY ("cloud_id")
);

-- CreateTable
CREATE TABLE "roll_up_mark" (
    "id" BIGSERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "roll_up_mark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "capacity_roll_up" (
    "cloud_id" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "begin" DATE NOT NULL,
    "slots" BYTEA NOT NULL,

    CONSTRAINT "capacity_roll_up_pkey" PRIMARY KEY ("cloud_id", "step", "dimension", "begin", "key")
);

-- CreateTable
CREATE TABLE "roll_up_label" (
    "cloud_id" INTEGER NOT NULL,
    "dimension" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "roll_up_label_pkey" PRIMARY KEY ("cloud_id", "dimension", "key")
);

-- CreateIndex
CREATE INDEX "roll_up_mark_cloud_id_idx" ON "roll_up_mark"("cloud_id");

-- AddForeignKey
ALTER TABLE "roll_up" ADD CONSTRAINT "roll_up_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "capacity_roll_up" ADD CONSTRAINT "capacity_roll_up_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "roll_up_label" ADD CONSTRAINT "roll_up_label_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A mark commits with the rows that it stands for: whoever sees it sees them, and one that commits late is found late.
CREATE FUNCTION "roll_up_mark_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows that are carried out of a month that goes repeat what is known.
  IF current_setting('sliceboard.carrying', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO roll_up_mark (cloud_id, at)
  SELECT h.cloud_id, min(n.at) FROM new_rows n JOIN host h ON h.id = n.host_id GROUP BY h.cloud_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER "pgpu_change_mark" AFTER INSERT ON "pgpu_change" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_changes"();

CREATE TRIGGER "guest_change_mark" AFTER INSERT ON "guest_change" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_changes"();

CREATE TRIGGER "pgpu_cloud_change_mark" AFTER INSERT ON "pgpu_cloud_change" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_changes"();

CREATE FUNCTION "roll_up_mark_new_watches"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO roll_up_mark (cloud_id, at)
  -- Of a stretch that was known while it went on only what came after that is new.
  SELECT h.cloud_id, min(coalesce((
    SELECT max(o.until) FROM host_watch o WHERE o.host_id = n.host_id AND o.since = n.since
      AND (o.enrolment, o.boot, o.sequence) <> (n.enrolment, n.boot, n.sequence)), n.since))
  FROM new_rows n JOIN host h ON h.id = n.host_id GROUP BY h.cloud_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER "host_watch_mark_new" AFTER INSERT ON "host_watch" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_new_watches"();

CREATE FUNCTION "roll_up_mark_longer_watches"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO roll_up_mark (cloud_id, at)
  SELECT h.cloud_id, min(least(o.until, n.until)) FROM new_rows n
  JOIN old_rows o USING (host_id, since, enrolment, boot, sequence) JOIN host h ON h.id = n.host_id
  WHERE n.until <> o.until GROUP BY h.cloud_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER "host_watch_mark_longer" AFTER UPDATE ON "host_watch"
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "roll_up_mark_longer_watches"();
