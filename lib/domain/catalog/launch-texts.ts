import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { hcl, hclString } from '@/lib/util/encode/hcl'
import { sh, shellOption } from '@/lib/util/encode/shell'
import { yaml, yamlString } from '@/lib/util/encode/yaml-string'

/** Placeholders that the reader replaces with values. */
export const PLACEHOLDERS = ['IMAGE', 'NETWORK', 'KEY'] as const

/** The command of python-openstackclient that starts one server of a flavor. */
export const openstackCommand = (flavor: string): Encoded<'shell'> =>
  sh`openstack server create ${shellOption(sh`--flavor`, flavor)} \\\n  --image IMAGE --network NETWORK --key-name KEY my-server`

/** The same as a resource of the Terraform provider openstack. */
export const terraformServer = (flavor: string): Encoded<'hcl'> =>
  joinEncoded(
    [
      hcl`resource "openstack_compute_instance_v2" "my_server" {`,
      hcl`  name        = "my-server"`,
      hcl`  flavor_name = ${hclString(flavor)}`,
      hcl`  image_name  = "IMAGE"`,
      hcl`  key_pair    = "KEY"`,
      hcl``,
      hcl`  network {`,
      hcl`    name = "NETWORK"`,
      hcl`  }`,
      hcl`}`,
    ],
    '\n',
  )

/** The same as a template of Heat. */
export const heatTemplate = (flavor: string): Encoded<'yaml'> =>
  joinEncoded(
    [
      yaml`heat_template_version: 2018-08-31`,
      yaml`resources:`,
      yaml`  my_server:`,
      yaml`    type: OS::Nova::Server`,
      yaml`    properties:`,
      yaml`      flavor: ${yamlString(flavor)}`,
      yaml`      image: IMAGE`,
      yaml`      key_name: KEY`,
      yaml`      networks:`,
      yaml`        - network: NETWORK`,
    ],
    '\n',
  )

/** A web dashboard of the cloud. */
export type Dashboard = { kind: 'horizon' | 'skyline'; url: string }

/**
 * Where a dashboard starts servers. Skyline takes the flavor from the address (its own page of reservations links so); Horizon's
 * form has no such parameter, so there the flavor is still to be chosen.
 */
export const dashboardLink = (
  { kind, url }: Dashboard,
  flavorId: string,
): { href: string; isFilled: boolean } =>
  kind === 'skyline'
    ? { href: `${url}/compute/instance/create?flavor=${encodeURIComponent(flavorId)}`, isFilled: true }
    : { href: `${url}/project/instances/`, isFilled: false }
