import { expect, it } from 'vitest'
import { projectIdOf } from '../demo-cloud/accounts'
import { openStackForTests } from '../testing/test-openstack'

const { keystone } = openStackForTests({ release: '2026.1' })

it('shows all limits to an admin of a project from 2026.1 on', async () => {
  const reply = await keystone(`/limits?project_id=${projectIdOf('render-farm')}`)
  expect((reply.body as { limits: unknown[] }).limits.length).toBeGreaterThan(0)
})
