-- The change whose write blocks a step, so that the page can link it.
ALTER TABLE "change_step" ADD COLUMN "writer_change_id" INTEGER;
