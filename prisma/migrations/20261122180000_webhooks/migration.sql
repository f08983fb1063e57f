-- CreateTable
CREATE TABLE "webhook" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "sealed_address" TEXT NOT NULL,
    "sealed_secret" TEXT NOT NULL,
    "form" TEXT NOT NULL,
    "finding_severity" TEXT,
    "wants_exhaustion" BOOLEAN NOT NULL,
    "wants_changes" BOOLEAN NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" BIGSERIAL NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "event" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "waiting_since" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "tried_at" TIMESTAMPTZ(3),
    "body" TEXT,
    "answered_status" INTEGER,
    "failure" TEXT,
    "took_ms" INTEGER,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "exhaustion" (
    "cloud_id" INTEGER NOT NULL,
    "type_id" TEXT NOT NULL,
    "type_name" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "told_at" TIMESTAMPTZ(3),
    "over_since" TIMESTAMPTZ(3),

    CONSTRAINT "exhaustion_pkey" PRIMARY KEY ("cloud_id", "type_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_cloud_id_name_key" ON "webhook"("cloud_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_event_id_key" ON "webhook_delivery"("event_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_webhook_id_state_id_idx" ON "webhook_delivery"("webhook_id", "state", "id");

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exhaustion" ADD CONSTRAINT "exhaustion_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
