import { expect, it } from 'vitest'
import type { MigrationHostDto, MigrationMatrixDto, MigrationPairDto } from '@/lib/schemas/api/migration'
import { countWays, indexWays, lineOfHost, MAX_LINES, matrixView, wayOf } from './matrix-lines'
import { commonReasons, lineName, wayLabel, waySentences } from './way-labels'

const host = (name: string, group: number): MigrationHostDto => ({
  name,
  group,
  isSilent: false,
  driverVersion: '550.54.16',
  free: 2,
})
const pair = (
  [source, destination]: [number, number],
  verdict: MigrationPairDto['verdict'],
  blockers: MigrationPairDto['blockers'] = [],
): MigrationPairDto => ({ source, destination, verdict, blockers, cautions: [] })
const blocker = (at: 'source' | 'destination' | 'pair', because: string) => ({
  at,
  because,
  isLasting: true,
  isUnknown: false,
})

const old = blocker('destination', 'has libvirt 8.0.0, 8.6.0 is needed')
/** Three equal hosts and an old one. */
const matrix: MigrationMatrixDto = {
  support: '',
  typeId: 'nvidia-230',
  typeName: 'T4-1Q',
  hosts: [host('cmp-1', 0), host('cmp-2', 0), host('cmp-10', 0), host('old-1', 1)],
  groupCount: 2,
  pairs: [
    pair([0, 0], 'possible'),
    pair([0, 1], 'blocked', [old]),
    pair([1, 0], 'blocked', [{ ...old, at: 'source' }]),
  ],
}
const ways = indexWays(matrix)
const view = (options: { q?: string; isGrouped?: boolean } = {}, hosts = matrix.hosts) =>
  matrixView({ hosts }, { q: '', isGrouped: false, ...options })
const names = ({ lines }: ReturnType<typeof view>) => lines.map(lineName)

it('draws hosts one by one, equal ones together on request, and those that the text names', () => {
  expect(names(view())).toEqual(['cmp-1', 'cmp-2', 'cmp-10', 'old-1'])
  expect(names(view({ isGrouped: true }))).toEqual(['cmp-1 and 2 like it', 'old-1'])
  expect(names(view({ q: ' CMP-1' }))).toEqual(['cmp-1', 'cmp-10'])
})

it('groups hundreds of hosts, and draws them one by one when few are named', () => {
  const many = Array.from({ length: 240 }, (_, index) => host(`cmp-${index}`, index % 3))
  const whole = view({}, many)
  expect([whole.isTooMany, whole.isGrouped, whole.lines.length, whole.hidden]).toEqual([true, true, 3, 0])
  expect(view({ q: 'cmp-23' }, many)).toMatchObject({ isGrouped: false, isTooMany: false })
})

it('never draws more lines than are readable, and counts the others', () => {
  const odd = Array.from({ length: 60 }, (_, index) => host(`cmp-${index}`, index))
  expect([view({}, odd).lines.length, view({}, odd).hidden]).toEqual([MAX_LINES, 60 - MAX_LINES])
})

it('has a way between any two hosts, none from a host to itself, and one within equal hosts', () => {
  const [first, second, , last] = view().lines
  const [grouped] = view({ isGrouped: true }).lines
  if (!first || !second || !last || !grouped) throw new Error('lines are missing')
  expect(wayOf(ways, first, second)?.verdict).toBe('possible')
  expect(wayOf(ways, first, last)?.verdict).toBe('blocked')
  expect(wayOf(ways, first, first)).toBeNull()
  expect(wayOf(ways, grouped, grouped)?.verdict).toBe('possible')
})

it('counts the same ways host by host and together', () => {
  const counts = { possible: 6, later: 0, blocked: 6, unknown: 0 }
  expect(countWays(ways, view().lines)).toEqual(counts)
  expect(countWays(ways, view({ isGrouped: true }).lines)).toEqual(counts)
})

it('finds the line that contains a host', () => {
  expect(lineOfHost(view({ isGrouped: true }).lines, 'cmp-10')?.first.name).toBe('cmp-1')
  expect(lineOfHost(view().lines, 'gone')).toBeNull()
})

it('names the blockers with both hosts', () => {
  const [from, to] = view({ isGrouped: true }).lines
  const way = ways.get(1)?.get(0)
  if (!from || !to || !way) throw new Error('lines are missing')
  expect(waySentences(pair([0, 1], 'blocked', [old]), { from, to }).blockers).toEqual([
    'old-1 has libvirt 8.0.0, 8.6.0 is needed',
  ])
  expect(waySentences({ ...way, blockers: [{ ...old, at: 'source' }] }, { from, to }).blockers).toEqual([
    'Each of the 3 hosts like cmp-1 has libvirt 8.0.0, 8.6.0 is needed',
  ])
  expect(wayLabel(way, { from: to, to: from })).toBe('old-1 to cmp-1 and 2 like it: Blocked, 1 reason')
})

it('counts a reason once for each host that has it', () => {
  expect(commonReasons(ways, view().lines)).toEqual([
    { text: 'has libvirt 8.0.0, 8.6.0 is needed', hosts: ['old-1'] },
  ])
  expect(commonReasons(ways, view({ q: 'cmp' }).lines)).toEqual([])
})
