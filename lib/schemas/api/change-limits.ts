import { GRAMMARS } from '../agent/grammar'

/** Hosts of one change or of a step of a scenario. */
export const MAX_CHANGE_HOSTS = 200

/** What a naming rule may be: a custom trait's name in which {type} or {id} stands, and {vendor} may. */
export const TRAIT_RULE_PATTERN = /^CUSTOM_(?=.*\{(?:type|id)\})(?:[A-Z0-9_]|\{(?:vendor|type|id)\})+$/

/** Flavors of one change: Placement is asked about each. */
export const MOST_CHANGE_FLAVORS = 50
export const MOST_EXTRA_SPECS = 100
export const MOST_MEMORY_MIB = 67_108_864
export const MOST_DISK_GIB = 1_048_576

/** What Nova takes as the key of an extra spec. */
export const SPEC_KEY_PATTERN = GRAMMARS.extraSpecKey.pattern

/** A custom trait, or one of os-traits. */
export const TRAIT_PATTERN = GRAMMARS.trait.pattern

/** Limits of one change, and the highest that Keystone takes. */
export const MOST_CHANGE_LIMITS = 500
export const MOST_LIMIT = 2_147_483_647
/** Steps of a what-if, one upon the other. */
export const MOST_WHAT_IF_STEPS = 20
/** GPUs of one of them. */
export const MAX_WHAT_IF_GPUS = 200
