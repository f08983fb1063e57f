import { spawnSync } from 'node:child_process'
import { parse as parseHcl } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { anyText } from '@/lib/util/encode/testing/hostile-text'
import { visible } from '@/lib/util/encode/visible'
import { heatTemplate, openstackCommand, type ServerSpec, terraformServer } from './server-texts'

const named = (text: string) => ({ text, isId: false })

const SPEC: ServerSpec = {
  name: 'train-07',
  flavor: 'vgpu.l40s-12q',
  image: named('ubuntu-24.04-nvidia-550'),
  network: named('cfd-net'),
  keyPair: 'ferrand-laptop',
  securityGroups: [named('ssh-only'), named('monitoring')],
}

const EMPTY: ServerSpec = { ...SPEC, image: null, network: null, keyPair: null, securityGroups: [] }

test('the command has an option on each line, and the name last', () => {
  expect(openstackCommand(SPEC)).toBe(`openstack server create \\
  --flavor vgpu.l40s-12q \\
  --image ubuntu-24.04-nvidia-550 \\
  --network cfd-net \\
  --key-name ferrand-laptop \\
  --security-group ssh-only \\
  --security-group monitoring \\
  train-07`)
})

test('what is not chosen has a placeholder or is left out', () => {
  expect(openstackCommand(EMPTY)).toBe(`openstack server create \\
  --flavor vgpu.l40s-12q \\
  --image IMAGE \\
  --network NETWORK \\
  train-07`)
})

test('a server without a network needs a newer version of Nova', () => {
  expect(openstackCommand({ ...EMPTY, network: 'none' })).toContain(
    'openstack --os-compute-api-version 2.37 server create \\\n  --flavor vgpu.l40s-12q \\\n  --image IMAGE \\\n  --nic none \\\n',
  )
  expect(terraformServer({ ...EMPTY, network: 'none' })).toContain('  network_mode    = "none"\n}')
  expect(parse(heatTemplate({ ...EMPTY, network: 'none' })).resources.server.properties.networks).toEqual([
    { allocate_network: 'none' },
  ])
})

test('Terraform gets names, and ids in their own arguments', () => {
  expect(terraformServer(SPEC)).toBe(`resource "openstack_compute_instance_v2" "train_07" {
  name            = "train-07"
  flavor_name     = "vgpu.l40s-12q"
  image_name      = "ubuntu-24.04-nvidia-550"
  key_pair        = "ferrand-laptop"
  security_groups = ["ssh-only", "monitoring"]

  network {
    name = "cfd-net"
  }
}`)
  const byId = terraformServer({
    ...SPEC,
    image: { text: 'image-id', isId: true },
    network: { text: 'network-id', isId: true },
  })
  expect(byId).toContain('  image_id        = "image-id"')
  expect(byId).toContain('    uuid = "network-id"')
})

test('Heat reads back all values', () => {
  expect(parse(heatTemplate(SPEC))).toEqual({
    heat_template_version: '2018-08-31',
    resources: {
      server: {
        type: 'OS::Nova::Server',
        properties: {
          name: 'train-07',
          flavor: 'vgpu.l40s-12q',
          image: 'ubuntu-24.04-nvidia-550',
          key_name: 'ferrand-laptop',
          security_groups: ['ssh-only', 'monitoring'],
          networks: [{ network: 'cfd-net' }],
        },
      },
    },
  })
})

/** HCL reads texts in Unicode's normal form C; hcl2json keeps `$${` and `%%{`, so that its readers can tell them from templates. */
const withoutSurrogates = (text: string): string =>
  text.replace(/\p{Cs}/gu, (unit) => `⟨U+${unit.charCodeAt(0).toString(16).toUpperCase()}⟩`)

const literals = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? item.replace(/([$%])\1(?=\{)/g, '$1') : item,
  )

const specOf = (texts: readonly string[]): ServerSpec => {
  const [name = '', flavor = '', image = '', network = '', keyPair = '', group = ''] = texts
  return {
    name,
    flavor,
    image: named(image),
    network: named(network),
    keyPair,
    securityGroups: [named(group)],
  }
}

const texts = fc.array(anyText(), { minLength: 6, maxLength: 6 })

test('a shell reads every hostile text as one word or as the value of its option', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const script = `openstack() { printf '%s\\0' "$@"; }\n${openstackCommand(specOf(given))}`
      const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
      expect(stderr).toBe('')
      const [name = '', ...values] = given.map(visible)
      const options = ['--flavor', '--image', '--network', '--key-name', '--security-group']
      expect(stdout.split('\0').slice(0, -1)).toEqual([
        'server',
        'create',
        ...options.flatMap((option, at) => {
          const value = values[at] ?? ''
          return value.startsWith('-') ? [`${option}=${value}`] : [option, value]
        }),
        ...(name.startsWith('-') ? ['--', name] : [name]),
      ])
    }),
    { numRuns: 150 },
  )
})

test('YAML reads back every hostile text, and nothing else', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const [name, flavor, image, network, keyPair, group] = given.map(visible)
      expect(parse(heatTemplate(specOf(given))).resources).toEqual({
        server: {
          type: 'OS::Nova::Server',
          properties: {
            name,
            flavor,
            image,
            key_name: keyPair,
            security_groups: [group],
            networks: [{ network }],
          },
        },
      })
    }),
  )
})

test('HashiCorp’s parser reads one server, and every hostile text as a value of it', async () => {
  const normal = (text: string) => withoutSurrogates(text).normalize('NFC')
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const [name, flavor, image, network, keyPair, group] = given.map(normal)
      const read = (await parseHcl('a.tf', `${terraformServer(specOf(given))}\n`)) as {
        resource: Record<string, Record<string, unknown[]>>
      }
      expect(Object.keys(read)).toEqual(['resource'])
      expect(Object.keys(read.resource)).toEqual(['openstack_compute_instance_v2'])
      const [[server, ...others] = []] = Object.values(read.resource.openstack_compute_instance_v2 ?? {})
      expect(others).toEqual([])
      expect(literals(server)).toEqual({
        name,
        flavor_name: flavor,
        image_name: image,
        key_pair: keyPair,
        security_groups: [group],
        network: [{ name: network }],
      })
    }),
    { numRuns: 30 },
  )
})
