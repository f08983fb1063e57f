-- Numbers of the history that no row names any more can go: writers stop finding them first, by another digest.
ALTER TABLE "pgpu_point" ADD COLUMN "retired_before" BIGINT;
ALTER TABLE "guest_owner" ADD COLUMN "retired_before" BIGINT;
ALTER TABLE "held_vgpus" ADD COLUMN "retired_before" BIGINT;
