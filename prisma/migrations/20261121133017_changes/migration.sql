-- CreateTable
CREATE TABLE "change" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "preview" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'planned',
    "is_by_hand" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "last_action" TEXT NOT NULL,
    "last_by" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "session_id" INTEGER,
    "run_by" TEXT,
    "stop_reason" TEXT,

    CONSTRAINT "change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "change_step" (
    "change_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "is_undo" BOOLEAN NOT NULL DEFAULT false,
    "intent" JSONB,
    "note" TEXT,
    "way_out" TEXT,
    "answer" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "change_step_pkey" PRIMARY KEY ("change_id","position")
);

-- CreateTable
CREATE TABLE "change_claim" (
    "cloud_id" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "change_id" INTEGER NOT NULL,

    CONSTRAINT "change_claim_pkey" PRIMARY KEY ("cloud_id","host","address")
);

-- CreateIndex
CREATE INDEX "change_cloud_id_state_idx" ON "change"("cloud_id", "state");

-- CreateIndex
CREATE INDEX "change_claim_change_id_idx" ON "change_claim"("change_id");

-- AddForeignKey
ALTER TABLE "change" ADD CONSTRAINT "change_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_step" ADD CONSTRAINT "change_step_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "change"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_claim" ADD CONSTRAINT "change_claim_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_claim" ADD CONSTRAINT "change_claim_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "change"("id") ON DELETE CASCADE ON UPDATE CASCADE;
