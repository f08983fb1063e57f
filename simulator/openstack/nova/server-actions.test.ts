import { describe, expect, it } from 'vitest'
import { IMAGE_ID } from '../demo-cloud/images'
import { stillCloud } from '../testing/still-cloud'

const cloud = stillCloud()
const { nova, act, boot, flavor, pass, serverOf, guestOn, specOf, usedOn, setService } = cloud

describe('a new server', () => {
  it('comes up on the requested host, with an mdev and its allocation', async () => {
    for (const name of ['cmp-2', 'cmp-1']) {
      const uuid = await boot({ host: name })
      expect(serverOf(uuid)).toMatchObject({ status: 'ACTIVE', host: name, taskState: null })
      expect(guestOn(name, uuid)?.mdevs).toHaveLength(1)
      expect(usedOn(name)).toBe(1)
    }
    const uuid = await boot({ availability_zone: 'nova:cmp-2' })
    expect(serverOf(uuid)?.host).toBe('cmp-2')
  })

  it('ends in ERROR where no host is left: closed, full, or without the trait', async () => {
    await setService('cmp-1', { status: 'disabled', disabled_reason: 'change' })
    const closed = await boot({ host: 'cmp-1' })
    expect(serverOf(closed)).toMatchObject({
      status: 'ERROR',
      host: null,
      fault: { code: 500, message: expect.stringContaining('No valid host was found') },
    })
    expect(usedOn('cmp-1')).toBe(0)
    for (let index = 0; index < 4; index += 1) await boot({ host: 'cmp-2' })
    expect(serverOf(await boot({ host: 'cmp-2' }))?.status).toBe('ERROR')
    const flavorRef = await flavor({ 'resources:VGPU': '1', 'trait:CUSTOM_NOBODY': 'required' })
    expect(serverOf(await boot({ flavorRef }))?.status).toBe('ERROR')
  })

  it.each([
    ['an unknown host', { host: 'unknown-host' }, 'Compute host unknown-host could not be found.'],
    ['an unknown zone', { availability_zone: 'mars' }, 'The requested availability zone is not available'],
    ['an unknown image', { imageRef: 'nothing' }, 'Can not find requested image'],
    ['no image', { imageRef: undefined }, 'Block Device Mapping is Invalid'],
    ['an unknown flavor', { flavorRef: 'nothing' }, 'Flavor nothing could not be found.'],
    ['no networks', { networks: undefined }, 'networks'],
  ])('is refused with 400 for %s', async (_, more, message) => {
    const server = { name: 'x', flavorRef: await flavor(), imageRef: IMAGE_ID, networks: 'none', ...more }
    const reply = await nova('POST', '/servers', { server })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)])
  })

  it('names its host from 2.74 on alone', async () => {
    const server = {
      name: 'x',
      flavorRef: await flavor(),
      imageRef: IMAGE_ID,
      networks: 'none',
      host: 'cmp-1',
    }
    expect((await nova('POST', '/servers', { server }, '2.73')).status).toBe(400)
  })

  it('goes with its guest and allocation, while its mdev stays', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    expect((await nova('DELETE', `/servers/${uuid}`)).status).toBe(204)
    expect((await nova('GET', `/servers/${uuid}`)).status).toBe(200)
    pass()
    expect((await nova('GET', `/servers/${uuid}`)).status).toBe(404)
    expect([guestOn('cmp-1', uuid), usedOn('cmp-1')]).toEqual([undefined, 0])
    expect(specOf('cmp-1').gpus[0]?.slicing?.state.vgpus).toHaveLength(1)
  })
})

describe('a server that is moved', () => {
  it('live goes to the host of its type, with its allocation', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    expect((await act(uuid, { 'os-migrateLive': { host: null, block_migration: 'auto' } })).status).toBe(202)
    const again = await act(uuid, { 'os-migrateLive': { host: null, block_migration: 'auto' } })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('task_state migrating')])
    pass(3000)
    expect([usedOn('cmp-1'), usedOn('cmp-2')]).toEqual([1, 1])
    pass()
    expect(serverOf(uuid)).toMatchObject({ status: 'ACTIVE', host: 'cmp-2' })
    expect([usedOn('cmp-1'), usedOn('cmp-2'), guestOn('cmp-1', uuid)]).toEqual([0, 1, undefined])
  })

  it('live stays where it is when the target makes another type', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    await act(uuid, { 'os-migrateLive': { host: 'cmp-3', block_migration: 'auto' } })
    pass()
    expect(serverOf(uuid)).toMatchObject({ status: 'ACTIVE', host: 'cmp-1', taskState: null })
    expect(cloud.openstack().cloud.nova.migrations.at(-1)).toMatchObject({
      type: 'live-migration',
      status: 'error',
    })
    expect([usedOn('cmp-1'), usedOn('cmp-3')]).toEqual([1, 0])
  })

  it('cold holds both sides until it is confirmed, and the source forgets it only then', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    expect((await act(uuid, { migrate: { host: 'cmp-2' } })).status).toBe(202)
    pass()
    expect(serverOf(uuid)).toMatchObject({ status: 'VERIFY_RESIZE', host: 'cmp-2' })
    expect([usedOn('cmp-1'), usedOn('cmp-2')]).toEqual([1, 1])
    expect(guestOn('cmp-1', uuid)).toMatchObject({ state: 'shutoff', mdevs: [expect.any(String)] })
    expect((await act(uuid, { confirmResize: null })).status).toBe(204)
    pass()
    expect(serverOf(uuid)).toMatchObject({ status: 'ACTIVE', host: 'cmp-2' })
    expect([usedOn('cmp-1'), usedOn('cmp-2'), guestOn('cmp-1', uuid)]).toEqual([0, 1, undefined])
  })

  it('cold comes back when it is reverted', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    await act(uuid, { migrate: null })
    pass()
    await act(uuid, { revertResize: null })
    pass()
    expect(serverOf(uuid)).toMatchObject({ status: 'ACTIVE', host: 'cmp-1' })
    expect(guestOn('cmp-1', uuid)?.state).toBe('running')
    expect(['cmp-1', 'cmp-2', 'cmp-3'].map(usedOn)).toEqual([1, 0, 0])
  })

  it('is refused for a host that is not there or its own, and without a migration', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    for (const [body, message] of [
      [{ migrate: { host: 'unknown-host' } }, 'Compute host unknown-host could not be found.'],
      [{ migrate: { host: 'cmp-1' } }, 'Cannot migrate to the host (cmp-1) where the server exists.'],
      [{ 'os-migrateLive': { host: 'unknown-host', block_migration: 'auto' } }, 'could not be found'],
      [{ dance: null }, 'There is no such action: dance'],
    ] as const) {
      const reply = await act(uuid, body)
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)])
    }
    expect((await act(uuid, { confirmResize: null })).status).toBe(409)
  })

  it('stops and starts with its mdev kept', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    expect((await act(uuid, { 'os-start': null })).status).toBe(409)
    expect((await act(uuid, { 'os-stop': null })).status).toBe(202)
    pass()
    expect(serverOf(uuid)?.status).toBe('SHUTOFF')
    expect([guestOn('cmp-1', uuid)?.mdevs.length, usedOn('cmp-1')]).toEqual([1, 1])
    const live = await act(uuid, { 'os-migrateLive': { host: null, block_migration: 'auto' } })
    expect([live.status, live.text]).toEqual([409, expect.stringContaining('vm_state stopped')])
    await act(uuid, { 'os-start': null })
    pass()
    expect(serverOf(uuid)?.status).toBe('ACTIVE')
  })
})
