import { describe, expect, it } from 'vitest'
import type { QuotaClass, QuotaRow } from '@/lib/schemas/api/quota'
import {
  arrangeQuotas,
  capacityShare,
  countQuotas,
  isNear,
  isOver,
  type QuotaFilter,
  usedShare,
} from './arrange-quotas'

const row = (rest: Partial<QuotaRow> & { projectName: string }): QuotaRow => ({
  projectId: `id-${rest.projectName}`,
  resourceName: 'class:VGPU',
  limit: { kind: 'number', value: 10, origin: 'own' },
  used: { value: 4, reason: null },
  moving: { amount: 0, servers: [] },
  left: 6,
  ...rest,
})

const quotaClass = (resourceName: string, isGpu: boolean): QuotaClass => ({
  resourceName,
  isGpu,
  standard: { kind: 'number', value: 0, origin: 'default' },
  capacity: { value: 40, reason: null },
  advertised: 40,
  used: 4,
  sum: 10,
  unlimitedProjects: 0,
  ownCount: 1,
  over: 0,
  near: 0,
})

const CLASSES = [
  quotaClass('class:VGPU', true),
  quotaClass('class:CUSTOM_A40', true),
  quotaClass('class:VCPU', false),
]
const FILTER: QuotaFilter = {
  q: '',
  classes: [],
  projects: [],
  isGpu: true,
  isInUse: true,
  state: null,
  sort: 'use',
  desc: false,
}

const full = row({ projectName: 'full', used: { value: 10, reason: null }, left: 0 })
const over = row({ projectName: 'over', used: { value: 12, reason: null }, left: -2 })
const calm = row({ projectName: 'calm' })
const unknown = row({ projectName: 'unknown', used: { value: null, reason: 'away' }, left: null })
const free = row({ projectName: 'free', limit: { kind: 'unlimited', origin: 'missing' }, left: null })
const cpus = row({ projectName: 'calm', resourceName: 'class:VCPU' })
const NONE = { value: 0, reason: null }
const AT_DEFAULT = { kind: 'number', value: 2, origin: 'default' } as const
const idle = row({ projectName: 'idle', limit: AT_DEFAULT, used: NONE, left: 2 })
const shut = row({
  projectName: 'shut',
  limit: { kind: 'number', value: 0, origin: 'own' },
  used: NONE,
  left: 0,
})
const other = row({
  projectName: 'calm',
  resourceName: 'class:CUSTOM_A40',
  limit: AT_DEFAULT,
  used: NONE,
  left: 2,
})
const rows = [calm, full, unknown, over, free, cpus, idle, shut, other]

const names = (filter: Partial<QuotaFilter>) =>
  arrangeQuotas({ classes: CLASSES, rows }, { ...FILTER, ...filter }).map(
    ({ projectName, resourceName }) => `${projectName} ${resourceName.slice(6)}`,
  )

describe('arrangeQuotas', () => {
  it('puts the fullest first and the unknown last, GPUs alone', () => {
    expect(names({})).toEqual(['over VGPU', 'full VGPU', 'calm VGPU', 'free VGPU', 'unknown VGPU'])
  })

  it('turns round', () => {
    expect(names({ desc: true }).at(-1)).toBe('over VGPU')
  })

  it('shows every class, or the chosen ones', () => {
    expect(names({ isGpu: false })).toContain('calm VCPU')
    expect(names({ classes: ['class:VCPU'] })).toEqual(['calm VCPU'])
  })

  it('narrows to who is over and who is near', () => {
    expect(names({ state: 'over' })).toEqual(['over VGPU'])
    expect(names({ state: 'near' })).toEqual(['full VGPU'])
    expect(names({ state: 'own', q: 'free' })).toEqual([])
  })

  it('has the least left first', () => {
    expect(names({ sort: 'left' }).slice(0, 3)).toEqual(['over VGPU', 'full VGPU', 'calm VGPU'])
  })

  it('hides unused classes without an own limit, of busy projects too, until they are selected', () => {
    expect(names({})).not.toContain('idle VGPU')
    expect(names({})).not.toContain('shut VGPU')
    expect(names({ isInUse: false })).toEqual(expect.arrayContaining(['idle VGPU', 'shut VGPU']))
    expect(names({ q: 'shut' })).toEqual(['shut VGPU'])
    expect(names({})).not.toContain('calm CUSTOM_A40')
    expect(names({ q: 'calm' })).toContain('calm CUSTOM_A40')
  })

  it('narrows to projects, and without an order keeps that of the rows', () => {
    expect(names({ projects: ['id-over', 'id-calm'], sort: null })).toEqual(['calm VGPU', 'over VGPU'])
  })

  it('counts the rows of the selected classes', () => {
    const table = { classes: CLASSES, rows }
    expect(countQuotas(table, FILTER)).toEqual({ over: 1, near: 1, own: 5, idle: 3 })
    expect(countQuotas(table, { ...FILTER, classes: ['class:CUSTOM_A40'] }).idle).toBe(1)
  })

  it('has no limit before the highest', () => {
    expect(names({ sort: 'limit' })[0]).toBe('free VGPU')
  })
})

describe('shares', () => {
  const zero = { limit: { kind: 'number', value: 0, origin: 'default' } } as const

  it('something at a limit of 0 is over it, nothing is not', () => {
    const something = row({ projectName: 'a', ...zero, used: { value: 1, reason: null }, left: -1 })
    const nothing = row({ projectName: 'a', ...zero, used: { value: 0, reason: null }, left: 0 })
    expect(isOver(something)).toBe(true)
    expect(usedShare(something)).toBe(Number.POSITIVE_INFINITY)
    expect([isOver(nothing), isNear(nothing)]).toEqual([false, false])
  })

  it('no share of a capacity that is not known', () => {
    expect(capacityShare(calm, { capacity: { value: 40, reason: null } })).toBe(0.25)
    expect(capacityShare(calm, { capacity: { value: null, reason: 'silent' } })).toBeNull()
    expect(capacityShare(free, { capacity: { value: 40, reason: null } })).toBeNull()
  })
})
