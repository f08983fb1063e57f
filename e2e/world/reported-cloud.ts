import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { type CloudWorld, firstRound, joinToken, openCloudWorld, signIn } from './cloud'
import { reportHosts, reportTrees } from './report-hosts'

type Reported = {
  /** The agents report the current files of their hosts. */
  reportAgain: () => Promise<void>
  /** Of this world alone, removed after it. */
  folder: string
}

/** A cloud, read every second, whose hosts have reported once, without sign-in. */
export const openReportedCloud = async ({ hostCount }: { hostCount: number }): Promise<CloudWorld> => {
  const folder = makeTemporaryDirectory('reported-cloud')
  const env = { SLICEBOARD_READ_INTERVAL_SECONDS: '1', SLICEBOARD_SIGN_IN: 'off' }
  const world = await openCloudWorld(env, { hostCount })
  const hosts = world.openstack.world.hosts.map(({ living }) => living.spec())
  await reportHosts({ url: world.url, folder, hosts })
  await firstRound(world)
  return {
    ...world,
    stop: async () => {
      await world.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A cloud, read every second, whose hosts have reported once. `as`: the scope in which an admin is signed in to it; without it
 * no sign-in is needed. `before` runs ahead of the first report. `page` is closed before the console stops.
 */
export const inReportedCloud = async (
  {
    page,
    as = null,
    hostCount = 1,
    env = {},
    before,
  }: {
    page: Page
    as?: RegExp | null
    hostCount?: number
    env?: Record<string, string>
    before?: (world: CloudWorld) => void
  },
  work: (world: CloudWorld, reported: Reported) => Promise<void>,
): Promise<void> => {
  const folder = makeTemporaryDirectory('reported-cloud')
  const world = await openCloudWorld(
    {
      SLICEBOARD_READ_INTERVAL_SECONDS: '1',
      ...(as === null ? { SLICEBOARD_SIGN_IN: 'off' } : {}),
      ...env,
    },
    { hostCount },
  )
  try {
    before?.(world)
    const hosts = world.openstack.world.hosts.map(({ living }) => living.spec())
    if (as !== null) await signIn(page, world, 'admin', as)
    const token = as === null ? {} : { joinToken: await joinToken(page, world) }
    await reportHosts({ url: world.url, folder, hosts, ...token })
    await firstRound(world, as === null ? undefined : page)
    const trees = hosts.map(({ name }) => ({ name, root: path.join(folder, 'hosts', name) }))
    await work(world, {
      reportAgain: () => reportTrees({ url: world.url, folder, hosts: trees, ...token }),
      folder,
    })
  } finally {
    await page.close()
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
