import { GRAMMARS } from '../agent/grammar'

/** Hosts of one change or of a step of a scenario. */
export const MAX_CHANGE_HOSTS = 200

/** A valid naming rule: a custom trait's name that contains {type} or {id}, and optionally {vendor}. */
export const TRAIT_RULE_PATTERN = /^CUSTOM_(?=.*\{(?:type|id)\})(?:[A-Z0-9_]|\{(?:vendor|type|id)\})+$/

/** Maximum flavors of one change, because Placement is queried for each. */
export const MAX_CHANGE_FLAVORS = 50
export const MAX_EXTRA_SPECS = 100
export const MAX_MEMORY_MIB = 67_108_864
export const MAX_DISK_GIB = 1_048_576

/** What Nova takes as the key of an extra spec. */
export const SPEC_KEY_PATTERN = GRAMMARS.extraSpecKey.pattern

/** A custom trait, or one of os-traits. */
export const TRAIT_PATTERN = GRAMMARS.trait.pattern

/** Limits that one change can name: a request has at most 64 kB. The setup of unified limits refers to more by their projects. */
export const MAX_CHANGE_LIMITS = 500
export const MAX_NAMED_PROJECTS = 1500
/** The highest limit that Keystone takes. */
export const MAX_LIMIT = 2_147_483_647
/** Maximum steps of a scenario. */
export const MAX_SCENARIO_STEPS = 20
/** GPUs of one of them. */
export const MAX_SCENARIO_GPUS = 200
