-- CreateTable
CREATE TABLE "cloud_part" (
    "cloud_id" INTEGER NOT NULL,
    "part" TEXT NOT NULL,
    "body" BYTEA,
    "items" INTEGER,
    "at" TIMESTAMPTZ(3),
    "error" TEXT,
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "cloud_part_pkey" PRIMARY KEY ("cloud_id","part")
);

-- CreateTable
CREATE TABLE "cloud_round" (
    "cloud_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "took_ms" INTEGER NOT NULL,
    "cost" JSONB NOT NULL,
    "notes" TEXT[],
    "waiting_requests" INTEGER NOT NULL,
    "versions" JSONB NOT NULL,

    CONSTRAINT "cloud_round_pkey" PRIMARY KEY ("cloud_id")
);

-- CreateTable
CREATE TABLE "provider_traits" (
    "cloud_id" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "provider_uuid" TEXT NOT NULL,
    "traits" TEXT[],
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_traits_pkey" PRIMARY KEY ("cloud_id","host","address")
);

-- CreateTable
CREATE TABLE "finding" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "host" TEXT,
    "address" TEXT,
    "body" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "reopened_count" INTEGER NOT NULL DEFAULT 0,
    "cannot_tell" TEXT,
    "cannot_tell_since" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_until" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "finding_event" (
    "id" BIGSERIAL NOT NULL,
    "finding_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "note" TEXT,

    CONSTRAINT "finding_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "finding_cloud_id_closed_at_idx" ON "finding"("cloud_id", "closed_at");

-- CreateIndex
CREATE INDEX "finding_cloud_id_host_address_idx" ON "finding"("cloud_id", "host", "address");

-- CreateIndex
CREATE UNIQUE INDEX "finding_cloud_id_key_key" ON "finding"("cloud_id", "key");

-- CreateIndex
CREATE INDEX "finding_event_finding_id_at_idx" ON "finding_event"("finding_id", "at");

-- AddForeignKey
ALTER TABLE "cloud_part" ADD CONSTRAINT "cloud_part_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cloud_round" ADD CONSTRAINT "cloud_round_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_traits" ADD CONSTRAINT "provider_traits_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding_event" ADD CONSTRAINT "finding_event_finding_id_fkey" FOREIGN KEY ("finding_id") REFERENCES "finding"("id") ON DELETE CASCADE ON UPDATE CASCADE;
