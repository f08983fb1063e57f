-- Fills the copies of the lab's databases with @hosts hosts of four T4: each holds four GRID T4-4C, two cards have one
-- server each. Rows of Nova are copies of the lab's own, with other names. Uuids are those of bench/read/bench-host.ts.
SET FOREIGN_KEY_CHECKS = 0;

CREATE OR REPLACE DATABASE bench_work;
USE bench_work;
CREATE FUNCTION host_name(n INT) RETURNS VARCHAR(36) DETERMINISTIC RETURN CONCAT('cmp-', LPAD(n, 5, '0'));
CREATE FUNCTION bench_uuid(n INT, kind CHAR(4), place INT) RETURNS CHAR(36) DETERMINISTIC
  RETURN LOWER(CONCAT(LPAD(HEX(n), 8, '0'), '-', kind, '-4000-8000-', LPAD(place, 12, '0')));

CREATE TABLE card (place INT, bus CHAR(2));
INSERT INTO card VALUES (1, '18'), (2, '19'), (3, '35'), (4, '36');
CREATE TABLE host AS SELECT seq AS n FROM seq_1_to_100000 WHERE seq <= @hosts;
CREATE TABLE server AS SELECT n, place, (n * 2 + place - 2) AS id FROM host JOIN card ON place <= 2;

-- Placement
USE bench_placement;
SET @vgpu = (SELECT id FROM resource_classes WHERE name = 'VGPU');
SET @vcpu = (SELECT id FROM resource_classes WHERE name = 'VCPU');
SET @memory = (SELECT id FROM resource_classes WHERE name = 'MEMORY_MB');
SET @disk = (SELECT id FROM resource_classes WHERE name = 'DISK_GB');
DELETE FROM allocations; DELETE FROM consumers; DELETE FROM inventories; DELETE FROM resource_provider_traits;
DELETE FROM resource_provider_aggregates; DELETE FROM resource_providers;
INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id, parent_provider_id)
  SELECT n, bench_work.bench_uuid(n, '0000', 0), bench_work.host_name(n), 3, n, NULL FROM bench_work.host;
INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id, parent_provider_id)
  SELECT @hosts + (n - 1) * 4 + place, bench_work.bench_uuid(n, '0000', place),
    CONCAT(bench_work.host_name(n), '_pci_0000_', bus, '_00_0'), 4, n, n FROM bench_work.host, bench_work.card;
INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
  SELECT n, @vcpu, 64, 0, 1, 64, 1, 4 FROM bench_work.host
  UNION ALL SELECT n, @memory, 262144, 512, 1, 262144, 1, 1 FROM bench_work.host
  UNION ALL SELECT n, @disk, 2000, 0, 1, 2000, 1, 1 FROM bench_work.host
  UNION ALL SELECT @hosts + (n - 1) * 4 + place, @vgpu, 4, 0, 1, 4, 1, 1 FROM bench_work.host, bench_work.card;
INSERT INTO traits (name) VALUES ('CUSTOM_GRID_T4_4C');
INSERT INTO resource_provider_traits (trait_id, resource_provider_id)
  SELECT LAST_INSERT_ID(), @hosts + (n - 1) * 4 + place FROM bench_work.host, bench_work.card;
INSERT INTO consumers (uuid, project_id, user_id, generation)
  SELECT bench_work.bench_uuid(n, '5e00', place), (SELECT MIN(id) FROM projects), (SELECT MIN(id) FROM users), 1
  FROM bench_work.server;
INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
  SELECT n, bench_work.bench_uuid(n, '5e00', place), @vcpu, 1 FROM bench_work.server
  UNION ALL SELECT n, bench_work.bench_uuid(n, '5e00', place), @memory, 1024 FROM bench_work.server
  UNION ALL SELECT n, bench_work.bench_uuid(n, '5e00', place), @disk, 5 FROM bench_work.server
  UNION ALL SELECT @hosts + (n - 1) * 4 + place, bench_work.bench_uuid(n, '5e00', place), @vgpu, 1 FROM bench_work.server;

-- Nova's cell
USE bench_nova_cell1;
SET @service = (SELECT id FROM services WHERE deleted = 0 AND `binary` = 'nova-compute' ORDER BY id LIMIT 1);
CREATE TABLE bench_work.services AS SELECT t.*, h.n FROM services t, bench_work.host h WHERE t.id = @service;
UPDATE bench_work.services SET id = 100 + n, host = bench_work.host_name(n), uuid = bench_work.bench_uuid(n, '5e41', 0);
ALTER TABLE bench_work.services DROP n;
DELETE FROM services WHERE `binary` = 'nova-compute';
INSERT INTO services SELECT * FROM bench_work.services;

SET @node = (SELECT id FROM compute_nodes WHERE deleted = 0 ORDER BY id LIMIT 1);
CREATE TABLE bench_work.compute_nodes AS SELECT t.*, h.n FROM compute_nodes t, bench_work.host h WHERE t.id = @node;
UPDATE bench_work.compute_nodes SET id = 100 + n, service_id = 100 + n, host = bench_work.host_name(n),
  hypervisor_hostname = bench_work.host_name(n), uuid = bench_work.bench_uuid(n, '0000', 0);
ALTER TABLE bench_work.compute_nodes DROP n;
DELETE FROM compute_nodes;
INSERT INTO compute_nodes SELECT * FROM bench_work.compute_nodes;

SET @server = (SELECT uuid FROM instances WHERE deleted = 0 AND vm_state = 'active' ORDER BY id LIMIT 1);
CREATE TABLE bench_work.instances AS SELECT t.*, s.n, s.place, s.id AS row_id FROM instances t, bench_work.server s WHERE t.uuid = @server;
UPDATE bench_work.instances SET id = 1000 + row_id, uuid = bench_work.bench_uuid(n, '5e00', place), host = bench_work.host_name(n),
  node = host, launched_on = host, display_name = CONCAT('vdi-', row_id), hostname = display_name;
ALTER TABLE bench_work.instances DROP n, DROP place, DROP row_id;
CREATE TABLE bench_work.instance_extra AS SELECT t.*, s.n, s.place, s.id AS row_id FROM instance_extra t, bench_work.server s WHERE t.instance_uuid = @server;
UPDATE bench_work.instance_extra SET id = 1000 + row_id, instance_uuid = bench_work.bench_uuid(n, '5e00', place);
ALTER TABLE bench_work.instance_extra DROP n, DROP place, DROP row_id;
CREATE TABLE bench_work.instance_info_caches AS SELECT t.*, s.n, s.place, s.id AS row_id FROM instance_info_caches t, bench_work.server s WHERE t.instance_uuid = @server;
UPDATE bench_work.instance_info_caches SET id = 1000 + row_id, instance_uuid = bench_work.bench_uuid(n, '5e00', place);
ALTER TABLE bench_work.instance_info_caches DROP n, DROP place, DROP row_id;
DELETE FROM instances; DELETE FROM instance_extra; DELETE FROM instance_info_caches; DELETE FROM migrations;
INSERT INTO instances SELECT * FROM bench_work.instances;
INSERT INTO instance_extra SELECT * FROM bench_work.instance_extra;
INSERT INTO instance_info_caches SELECT * FROM bench_work.instance_info_caches;

-- Nova's API database
USE bench_nova_api;
UPDATE cell_mappings SET database_connection = REPLACE(database_connection, '/nova_', '/bench_nova_');
SET @cell = (SELECT id FROM cell_mappings WHERE name = 'cell1');
DELETE FROM host_mappings;
INSERT INTO host_mappings (cell_id, host) SELECT @cell, bench_work.host_name(n) FROM bench_work.host;
CREATE TABLE bench_work.instance_mappings AS SELECT t.*, s.n, s.place, s.id AS row_id FROM instance_mappings t, bench_work.server s WHERE t.instance_uuid = @server;
UPDATE bench_work.instance_mappings SET id = 1000 + row_id, instance_uuid = bench_work.bench_uuid(n, '5e00', place);
ALTER TABLE bench_work.instance_mappings DROP n, DROP place, DROP row_id;
DELETE FROM instance_mappings; DELETE FROM aggregate_hosts;
INSERT INTO instance_mappings SELECT * FROM bench_work.instance_mappings;
DROP DATABASE bench_work;
