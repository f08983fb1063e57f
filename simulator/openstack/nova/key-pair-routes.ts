import type { NovaHandler, NovaRoute } from './nova-handler'
import { pageOf } from './page'

/** The user's own; 2.35 and newer page them. */
const list: NovaHandler = (call) => {
  const names = call.state.keyPairs.get(call.caller.userId) ?? []
  const { items, links } = pageOf(call, names, { idOf: (name) => name, path: 'os-keypairs' })
  return {
    status: 200,
    body: {
      keypairs: items.map((name) => ({
        keypair: {
          name,
          type: 'ssh',
          fingerprint: '7e:eb:ab:24:ba:d1:e1:88:ae:9a:fb:66:53:df:d3:bd',
          public_key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ${name}`,
        },
      })),
      ...(links.length === 0 ? {} : { keypairs_links: links }),
    },
  }
}

export const keyPairRoutes: NovaRoute[] = [
  {
    method: 'GET',
    path: '/os-keypairs',
    policy: 'os_compute_api:os-keypairs:index',
    access: 'reader',
    handler: list,
  },
]
