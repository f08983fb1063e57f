import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadClouds } from '@/lib/openstack/clouds/load-clouds'
import type { Logger } from '@/lib/server/context/log'
import { reportClockDifference, usedClouds } from './open-accounts'

const AUTH =
  '{auth_url: "http://127.0.0.1:5000/v3", username: sliceboard, project_name: service, password: x, user_domain_name: Default}'

const used = async (yaml: string, environment: Record<string, string> = {}) => {
  const root = await mkdtemp(join(tmpdir(), 'used-clouds-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await writeFile(join(root, 'clouds.yaml'), yaml)
  const loaded = await loadClouds({
    environment,
    workingDirectory: root,
    homeDirectory: root,
    systemDirectory: root,
  })
  expect(loaded.problems).toEqual([])
  return usedClouds(loaded).map(({ name, region }) => [name, region])
}

test('each region of a cloud is its own cloud, and the first keeps the name', async () => {
  const yaml = `clouds:
  rome: {auth: ${AUTH}, region_name: RegionOne}
  paris: {auth: ${AUTH}, regions: [RegionOne, {name: RegionTwo, values: {interface: internal}}, RegionTwo]}
`
  expect(await used(yaml)).toEqual([
    ['paris', 'RegionOne'],
    ['paris:RegionTwo', 'RegionTwo'],
    ['rome', 'RegionOne'],
  ])
  expect(await used(yaml, { OS_CLOUD: 'rome' })).toEqual([['rome', 'RegionOne']])
  expect(await used(yaml, { OS_CLOUD: 'paris' })).toHaveLength(2)
})

test('an entry that has the name of a region keeps it', async () => {
  const yaml = `clouds:
  "paris:RegionTwo": {auth: ${AUTH}, region_name: South}
  paris: {auth: ${AUTH}, regions: [RegionOne, RegionTwo]}
`
  expect(await used(yaml)).toEqual([
    ['paris', 'RegionOne'],
    ['paris:RegionTwo', 'South'],
  ])
})

test('a clock difference is reported once when it begins and once when it ends', () => {
  const lines: string[] = []
  const write = (_fields: unknown, text: string) => lines.push(text)
  const report = reportClockDifference({ warn: write, info: write } as unknown as Logger, 'prod')
  for (const ms of [10, -30_000, -7_200_000, -7_200_500, 90_000, 20]) report(ms)
  expect(lines).toEqual([
    expect.stringMatching(/^Keystone's clock is 7200 s behind the clock of this machine: check NTP/),
    "Keystone's clock agrees with the clock of this machine again",
  ])
})
