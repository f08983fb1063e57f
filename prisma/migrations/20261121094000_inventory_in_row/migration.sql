-- A body is gzip already and changes with most reports: kept in its row, without another try to compress it, and with room
-- in each page for the next one, an update leaves no dead rows in a TOAST table that PGlite never vacuums.
ALTER TABLE "host_inventory" ALTER COLUMN "body" SET STORAGE EXTERNAL;

ALTER TABLE "host_inventory" SET (toast_tuple_target = 8160, fillfactor = 40);
