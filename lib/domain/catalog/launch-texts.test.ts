import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboardLink, heatTemplate, openstackCommand, terraformServer } from './launch-texts'

const ODD = `gpu 'x' "y" \${z} $HOME`

test('a shell reads the name of the flavor as it is', () => {
  expect(openstackCommand('vgpu.a40-4q')).toBe(
    `openstack server create --flavor vgpu.a40-4q \\
  --image IMAGE --network NETWORK --key-name KEY my-server`,
  )
  expect(openstackCommand("it's")).toContain(`--flavor 'it'\\''s' `)
})

test('Terraform gets a resource with a block for the network', () => {
  expect(terraformServer('vgpu.a40-4q')).toBe(`resource "openstack_compute_instance_v2" "my_server" {
  name        = "my-server"
  flavor_name = "vgpu.a40-4q"
  image_name  = "IMAGE"
  key_pair    = "KEY"

  network {
    name = "NETWORK"
  }
}`)
  expect(terraformServer(ODD)).toContain('$${z}')
})

test('Heat reads back the name of the flavor', () => {
  const read = parse(heatTemplate(ODD))
  expect(read.heat_template_version).toBe('2018-08-31')
  expect(read.resources.my_server.properties).toMatchObject({
    flavor: ODD,
    networks: [{ network: 'NETWORK' }],
  })
})

test('Skyline takes the flavor from the address, Horizon does not', () => {
  expect(dashboardLink({ kind: 'skyline', url: 'https://sky.example' }, 'a b')).toEqual({
    href: 'https://sky.example/compute/instance/create?flavor=a%20b',
    isFilled: true,
  })
  expect(dashboardLink({ kind: 'horizon', url: 'https://hor.example/dashboard' }, 'x')).toEqual({
    href: 'https://hor.example/dashboard/project/instances/',
    isFilled: false,
  })
})
