import { GRAMMARS, type GrammarName } from '@/lib/schemas/agent/grammar'
import type { Malformed } from './malformed/malformed'
import type { PlannedStep, StepTask } from './types'

/** `free`: a name that people choose, which encoders make safe. `line`: any text of one line. `lines`: any text. */
type Form = GrammarName | 'free' | 'line' | 'lines'
type Forms = Readonly<Record<string, Form>>

/** By the member's name; `[]` behind it: entries of a list. What is not named here is a `line`. */
const FORMS: Forms = {
  address: 'mdevParent',
  'addresses[]': 'mdevParent',
  pgpuAddress: 'mdevParent',
  parent: 'mdevParent',
  'functions[]': 'pciAddress',
  uuid: 'uuid',
  'uuids[]': 'uuid',
  serverUuid: 'uuid',
  typeId: 'vgpuTypeId',
  trait: 'trait',
  'traits[]': 'trait',
  'foreign[]': 'trait',
  'otherTypes[]': 'trait',
  'seen[]': 'trait',
  resourceClass: 'resourceClass',
  mdevClass: 'mdevClass',
  driver: 'driver',
  alias: 'alias',
  'aliases[]': 'alias',
  path: 'path',
  definedAt: 'path',
  shared: 'cpuSet',
  dedicated: 'cpuSet',
  pinSet: 'cpuSet',
  flavorId: 'flavorId',
  imageId: 'uuid',
  projectId: 'plainId',
  serviceId: 'plainId',
  resourceName: 'limitName',
  name: 'free',
  owner: 'free',
  reason: 'free',
  serverName: 'free',
  flavorName: 'free',
  projectName: 'free',
  userName: 'free',
  aggregate: 'free',
  description: 'free',
  typeName: 'free',
  fromName: 'free',
  toName: 'free',
  service: 'free',
  rootName: 'free',
  providerName: 'free',
  provider: 'free',
  ownBefore: 'lines',
  ownAfter: 'lines',
  line: 'line',
}

const FREE_VALUES: Forms = { seen: 'free', wanted: 'free' }

/** Forms that members of one kind of step have instead. */
const OF_KIND: Readonly<Partial<Record<StepTask['kind'], Forms>>> = {
  'bind-driver': { from: 'driver', to: 'driver' },
  'describe-flavor': FREE_VALUES,
  'set-aggregate-hosts': { key: 'free' },
  'set-aggregate-properties': { key: 'free', ...FREE_VALUES },
  'set-extra-specs': { key: 'extraSpecKey', ...FREE_VALUES },
  'set-flavor-access': { key: 'plainId', projectNames: 'free' },
  'write-pci-config': { name: 'alias' },
}

const LINE = { pattern: /^\P{Cc}*$/u, rule: 'must have no control characters' }
const LINES = { pattern: /^[\P{Cc}\n\t]*$/u, rule: 'must have no control characters but line feeds' }

/** An empty text is no value: the trait of a compute node has no address. */
const brokenRule = (form: Form, value: string): string | null => {
  if (form === 'free' || value === '') return null
  const { pattern, rule } = form === 'line' ? LINE : form === 'lines' ? LINES : GRAMMARS[form]
  return pattern.test(value) ? null : rule
}

type Found = { member: string; value: string; rule: string }

const search = (value: unknown, member: string, forms: Forms): Found | null => {
  if (typeof value === 'string') {
    const rule = brokenRule(forms[member] ?? FORMS[member] ?? 'line', value)
    return rule === null ? null : { member, value, rule }
  }
  if (typeof value !== 'object' || value === null) return null
  // Names by id, of which both are free.
  if (forms[member] === 'free') return null
  const inner = Array.isArray(value)
    ? value.map((one) => [`${member}[]`, one] as const)
    : Object.entries(value)
  for (const [name, one] of inner) {
    const found = search(one, name, forms)
    if (found !== null) return found
  }
  return null
}

/** The first value of the steps that does not have its form, in addition to the planner's checks; null: all have it. */
export function* malformedStep(steps: readonly PlannedStep[]): Generator<void, Malformed | null> {
  for (const { task, title } of steps) {
    yield
    const found = search(task, '', OF_KIND[task.kind] ?? {})
    if (found === null) continue
    const { member, value, rule } = found
    return {
      value,
      rule,
      origin: `${member.replace('[]', '')} of the step “${title}”`,
      remedy: 'correct it where it comes from',
    }
  }
  return null
}
