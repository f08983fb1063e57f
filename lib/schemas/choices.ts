/* Lists and limits that pages use and schemas check, without zod, which the pages do not load. */

/** What entries are about: the first word of an action. */
export const AUDIT_SUBJECTS = [
  'session',
  'api-token',
  'agent',
  'enrollment',
  'join-token',
  'finding',
  'change',
  'agent-command',
  'command-key',
  'console-secret',
  'kept-trait',
  'quota-request',
  'limit-trial',
  'catalog',
  'server',
  'cloud',
  'webhook',
  'price',
  'scenario',
  'review',
  'view',
] as const

/** Phases of a change, in the order in which a host goes through them. */
export const STEP_PHASES = ['prepare', 'drain', 'reconfigure', 'verify', 'enable'] as const

export const CATALOG_PURPOSES = ['desktop', 'cad', 'rendering', 'training', 'inference'] as const

/** `state` of the list: what separates servers on one card. */
export const CATALOG_LIST = {
  sorts: ['price', 'name', 'memory', 'availability'],
  states: ['time-sliced', 'mig', 'whole'],
} as const

export const FINDING_SOURCES = [
  'hardware',
  'nova.conf',
  'placement',
  'nova',
  'keystone',
  'neutron',
  'libvirt',
  'agent',
] as const

/** `acknowledged`: until its end date, or permanently. `muted`: all findings of the kind are, until a date. */
export const FINDING_STATES = ['open', 'acknowledged', 'muted', 'closed'] as const

/** Kinds of blockers, as lib/domain/fit/main-reason has them. */
export const FIT_REASONS = [
  'service',
  'zone',
  'aggregate',
  'alias',
  'cpu',
  'numa',
  'memory',
  'disk',
  'full',
  'hardware',
  'device',
  'together',
  'size',
  'trait',
  'class',
  'provider',
  'refused',
  'unexplained',
  'unknown',
] as const

/** Groups of hosts: those that fit, and the others by their main reason. */
export const FIT_GROUPS = ['fits', ...FIT_REASONS] as const

/** `full`: no server fits, for certain. */
export const FLAVOR_LIST = {
  sorts: ['name', 'fits', 'at-once', 'hosts', 'findings'],
  states: ['full', 'findings'],
} as const

/** `unknown`: its GPU is not known. `silent`: its host does not report. */
export const GPU_SERVER_LIST = {
  sorts: ['name', 'status', 'project', 'flavor', 'host', 'type', 'created'],
  states: ['vgpu', 'passthrough', 'unknown', 'silent'],
} as const

/** The most urgent first. */
export const HEADROOM_STATES = ['starved', 'partly', 'tight', 'unknown', 'unasked', 'fine', 'used'] as const

export const REQUEST_GROUPS = ['open', 'granted', 'past'] as const

export const QUOTA_SORTS = ['use', 'project', 'class', 'limit', 'used', 'left', 'share'] as const

export const QUOTA_STATES = ['over', 'near', 'own'] as const

/** The most characters of each field of the sign-in. */
export const SIGN_IN_LENGTHS = { cloud: 128, domain: 255, name: 255, password: 4096, passcode: 64 } as const

/** Search parameters of the list of GPUs, without the cloud and the GPU of the drawer. */
export const SAVED_PARAMS = [
  'q',
  'model',
  'type',
  'framework',
  'aggregate',
  'finding',
  'holds',
  'group',
  'sort',
  'desc',
  'hide',
  'show',
] as const
