-- CreateTable
CREATE TABLE "quota_request" (
    "id" SERIAL NOT NULL,
    "cloud_id" INTEGER NOT NULL,
    "project_id" TEXT NOT NULL,
    "project_name" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "resource_name" TEXT NOT NULL,
    "value" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3),
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "version" INTEGER NOT NULL DEFAULT 1,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "answer" TEXT,
    "granted_value" INTEGER,
    "granted_until" TIMESTAMPTZ(3),
    "before_value" INTEGER,
    "change_id" INTEGER,
    "back_change_id" INTEGER,
    "end_note" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "quota_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "quota_request_cloud_id_state_idx" ON "quota_request"("cloud_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "quota_request_cloud_id_project_id_number_key" ON "quota_request"("cloud_id", "project_id", "number");

-- AddForeignKey
ALTER TABLE "quota_request" ADD CONSTRAINT "quota_request_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
