import { hclBlock, hclText } from '@/lib/domain/flavor/hcl'
import { shellQuote } from '@/lib/domain/plans/shell-quote'

/** What the reader has to put in place of the words in capitals. */
export const PLACEHOLDERS = ['IMAGE', 'NETWORK', 'KEY'] as const

/** The command of python-openstackclient that starts one server of a flavor. */
export const openstackCommand = (flavor: string): string =>
  [
    `openstack server create --flavor ${shellQuote(flavor)}`,
    '  --image IMAGE --network NETWORK --key-name KEY my-server',
  ].join(' \\\n')

/** The same as a resource of the Terraform provider openstack. */
export const terraformServer = (flavor: string): string =>
  hclBlock('resource "openstack_compute_instance_v2" "my_server"', [
    ['name', hclText('my-server')],
    ['flavor_name', hclText(flavor)],
    ['image_name', hclText('IMAGE')],
    ['key_pair', hclText('KEY')],
    ['network', '[{ name = "NETWORK" }]'],
  ]).replace(/^ {2}network += .*$/m, '\n  network {\n    name = "NETWORK"\n  }')

/** YAML 1.1 reads a plain word as more than a text at times; JSON's quoting is YAML's, too. */
const yamlText = (text: string): string => JSON.stringify(text)

/** The same as a template of Heat. */
export const heatTemplate = (flavor: string): string =>
  [
    'heat_template_version: 2018-08-31',
    'resources:',
    '  my_server:',
    '    type: OS::Nova::Server',
    '    properties:',
    `      flavor: ${yamlText(flavor)}`,
    '      image: IMAGE',
    '      key_name: KEY',
    '      networks:',
    '        - network: NETWORK',
  ].join('\n')

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
