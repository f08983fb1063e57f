/** SQL type of a column; lists travel as text and are cast. */
type ColumnType = 'int' | 'text' | 'boolean' | 'int[]' | 'text[]'

/** What a report rewrites below its host. Rows are lists of cells in the order of `columns`, keyed by the first of them. */
export type Table = { name: string; columns: readonly (readonly [name: string, type: ColumnType])[] }

export const PGPU = {
  name: 'pgpu',
  columns: [
    ['address', 'text'],
    ['vendor_id', 'text'],
    ['device_id', 'text'],
    ['model', 'text'],
    ['framework', 'text'],
    ['is_mig_backed', 'boolean'],
    ['driver', 'text'],
    ['numa_node', 'int'],
    ['framebuffer_mib', 'int'],
    ['type_id', 'int'],
    ['type_set_id', 'int'],
    ['available', 'int[]'],
    ['capacity', 'int'],
    ['used', 'int'],
    ['spare', 'int'],
    ['orphan', 'int'],
    ['"returning"', 'int'],
    ['creatable', 'int'],
    ['finding_code', 'text'],
    ['finding_severity', 'text'],
    ['finding', 'text'],
    ['unknown_reason', 'text'],
  ],
} as const satisfies Table

export const MDEV = {
  name: 'mdev',
  columns: [
    ['uuid', 'text'],
    ['pgpu_address', 'text'],
    ['parent', 'text'],
    ['type_id', 'text'],
    ['is_active', 'boolean'],
    ['is_defined', 'boolean'],
    ['is_autostart', 'boolean'],
    ['guest_uuid', 'text'],
  ],
} as const satisfies Table

export const GUEST = {
  name: 'guest',
  columns: [
    ['uuid', 'text'],
    ['name', 'text'],
    ['state', 'text'],
    ['server_name', 'text'],
    ['flavor_name', 'text'],
    ['project_id', 'text'],
    ['project_name', 'text'],
    ['user_name', 'text'],
    ['pgpu_addresses', 'text[]'],
  ],
} as const satisfies Table

export const GUEST_HOLDING = {
  name: 'guest_holding',
  columns: [
    ['uuid', 'text'],
    ['name', 'text'],
    ['flavor_name', 'text'],
    ['project_id', 'text'],
    ['project_name', 'text'],
    ['addresses', 'text[]'],
    ['type_ids', 'text[]'],
  ],
} as const satisfies Table
