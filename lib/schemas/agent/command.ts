import * as z from 'zod/mini'
import { COMMAND_OUTCOMES } from './command-outcomes'
import { hostNameSchema, linesSchema, pciAddressSchema, uuidSchema, wordSchema } from './primitives'
import { providerConfigSchema } from './provider-config'
import { contractRevisionSchema } from './revision'

/** Kinds of commands, each allowed by its name in the host's own /etc/sliceboard/agent.toml. */
export const COMMAND_NAMES = [
  'remove-mdev',
  'create-mdev',
  'write-nova-config',
  'restart-nova-compute',
  'set-vfio-type',
  'run-sriov-manage',
  'bind-pci-driver',
  'write-provider-config',
] as const
export type CommandName = (typeof COMMAND_NAMES)[number]

/** Limits of one command and of its result. */
export const COMMAND_LIMITS = {
  contentBytes: 65_536,
  definitionBytes: 4096,
  messageCharacters: 1000,
  outputCharacters: 8192,
  /** Commands in one answer; more wait for the next. */
  delivered: 8,
  orderBytes: 131_072,
  /**
   * A program that a command runs is ended after that time. From Nova 33 on nova-compute waits 160 s after SIGTERM
   * (`manager_shutdown_timeout`) and ends within 180 s (`graceful_shutdown_timeout`; nova/conf/base.py). Two more minutes are for
   * its start.
   */
  programMs: 300_000,
} as const

const typeId = wordSchema('vgpuTypeId')
/** PCI address of a pGPU or VF, or the sysfs name of a virtual parent such as `mtty`. */
const parentAddress = z.union([pciAddressSchema, z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/))])
/** SHA-256 in lower-case hex. */
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'))
const vfioType = z.int().check(z.gte(0), z.lte(1_000_000))

/** Destroys and undefines an mdev. Refused unless type and parent are these and no guest, live or persistent, names it. */
const removeMdevSchema = z.strictObject({
  name: z.literal('remove-mdev'),
  uuid: uuidSchema,
  typeId,
  parentAddress,
})

/** Recreates an mdev, as the undo of its removal. Refused unless the parent is there and offers the type. */
const createMdevSchema = z.strictObject({
  name: z.literal('create-mdev'),
  uuid: uuidSchema,
  typeId,
  parentAddress,
  /** It was running, and is created; false: only its definition is written. */
  isActive: z.boolean(),
  /**
   * Text of its definition, as `definitionText` writes it; null: it had none. The agent writes its own text of the type and
   * the start, and refuses a definition that holds more than these.
   */
  definition: z.nullable(z.string().check(z.maxLength(COMMAND_LIMITS.definitionBytes))),
})

/** Writes a file in the drop-in folder that the host's agent.toml names, as a whole or not at all. */
const writeNovaConfigSchema = z.strictObject({
  name: z.literal('write-nova-config'),
  /** A plain name that ends in .conf, without a folder. */
  file: wordSchema('dropInName'),
  /**
   * What the file is to hold; null removes it. Refused: sections other than devices, mdev_*, vgpu_*, pci, all but the options
   * of vGPU types, PCI devices, CPU sets and reservations, and values that do not have the form of their option.
   */
  content: z.nullable(z.string().check(z.maxLength(COMMAND_LIMITS.contentBytes))),
  /** SHA-256 of what the file holds now, else it is refused; null: there is no such file. */
  was: z.nullable(sha256),
})

/** Runs the command line that agent.toml gives for it. */
const restartNovaComputeSchema = z.strictObject({ name: z.literal('restart-nova-compute') })

/** Writes `current_vgpu_type` of a VF of vendor VFIO; 0 is none. Refused unless it holds `was`, or a guest names the VF. */
const setVfioTypeSchema = z.strictObject({
  name: z.literal('set-vfio-type'),
  address: pciAddressSchema,
  typeNumber: vfioType,
  was: vfioType,
})

/** Runs NVIDIA's sriov-manage for a GPU. Disabling is refused while a VF carries an mdev or a guest names one. */
const runSriovManageSchema = z.strictObject({
  name: z.literal('run-sriov-manage'),
  address: pciAddressSchema,
  enable: z.boolean(),
})

const driverName = wordSchema('driver')

/**
 * Takes a GPU, or another function of its card, from one driver to another by `driver_override`. Refused unless `was` drives
 * it and the kernel has the other, and while a guest names it or it carries mdevs or VFs. It does not outlast a reboot.
 */
const bindPciDriverSchema = z.strictObject({
  name: z.literal('bind-pci-driver'),
  address: pciAddressSchema,
  /** Null: none is to be bound, nor was. */
  driver: z.nullable(driverName),
  was: z.nullable(driverName),
})

/**
 * Writes traits into one file of nova-compute's provider config, as a whole or not at all. Refused unless the file holds
 * `was`, where it is another's, and while another file of the folder names one of the providers.
 */
const writeProviderConfigSchema = z.strictObject({
  name: z.literal('write-provider-config'),
  /** What it is to hold; null removes it. */
  entries: z.nullable(providerConfigSchema),
  /** What it holds now; null: there is no such file. */
  was: z.nullable(providerConfigSchema),
})

/** The commands for agents. They contain arguments only: the command lines are in the agent.toml of the host. */
export const agentCommandSchema = z.discriminatedUnion('name', [
  removeMdevSchema,
  createMdevSchema,
  writeNovaConfigSchema,
  restartNovaComputeSchema,
  setVfioTypeSchema,
  runSriovManageSchema,
  bindPciDriverSchema,
  writeProviderConfigSchema,
])
export type AgentCommand = z.infer<typeof agentCommandSchema>
export type CommandOf<Name extends CommandName> = Extract<AgentCommand, { name: Name }>

/** A command for one host and one step, once. Its JSON is what the console signs. */
export const commandOrderSchema = z.strictObject({
  version: z.literal(1),
  /** Of this command; the same id is carried out once. */
  id: uuidSchema,
  host: hostNameSchema,
  /** `change:12/step:3`. */
  step: z.string().check(z.minLength(1), z.maxLength(128)),
  /** ISO 8601 UTC; from then on it is refused. */
  expiresAt: z.iso.datetime(),
  command: agentCommandSchema,
})
export type CommandOrder = z.infer<typeof commandOrderSchema>

/** A public Ed25519 key: base64url of its 32 bytes. */
export const commandKeySchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be an Ed25519 key in base64url'))

/** An order in transit: the signed text unchanged, and the Ed25519 signature over its UTF-8 in base64url. */
export const signedCommandSchema = z.object({
  order: z.string().check(z.minLength(1), z.maxLength(COMMAND_LIMITS.orderBytes)),
  signature: z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/, 'must be an Ed25519 signature in base64url')),
})
export type SignedCommand = z.infer<typeof signedCommandSchema>

/** Body of `POST /api/agent/v1/command-results`, JSON; a second one for the same id changes nothing. */
export const commandResultSchema = z.strictObject({
  contractRevision: contractRevisionSchema,
  id: uuidSchema,
  outcome: z.enum(COMMAND_OUTCOMES),
  /** One sentence for a person. */
  message: linesSchema(COMMAND_LIMITS.messageCharacters).check(z.minLength(1)),
  /** What commands printed, cut at the end. */
  output: linesSchema(COMMAND_LIMITS.outputCharacters),
  /**
   * The previous state, for the undo: content of the drop-in file, of the mdev's definition, or null for none. Absent:
   * the command has no previous state.
   */
  previous: z.optional(z.nullable(z.string().check(z.maxLength(COMMAND_LIMITS.contentBytes)))),
})
export type CommandResult = z.infer<typeof commandResultSchema>

/** Answer to a result (200). `isApplied` is false when the console has one already. */
export const commandReceiptSchema = z.object({ isApplied: z.boolean() })
export type CommandReceipt = z.infer<typeof commandReceiptSchema>
