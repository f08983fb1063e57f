-- The change that was acting on the subject when a finding was resolved.
ALTER TABLE "finding_event" ADD COLUMN "change_id" INTEGER;
