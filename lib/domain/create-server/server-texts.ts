import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { hcl, hclName, hclString } from '@/lib/util/encode/hcl'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { yaml, yamlString } from '@/lib/util/encode/yaml-string'
import type { Reference } from './reference'

/** What a new server is created from. All texts are of the cloud or of a person, so none of them is trusted. */
export type ServerSpec = {
  name: string
  /** Name of the flavor. */
  flavor: string
  /** Null: not chosen yet; the texts have a placeholder then. */
  image: Reference | null
  /** `none`: the server has no network. */
  network: Reference | 'none' | null
  /** Null: none. */
  keyPair: string | null
  /** Empty: Neutron's default group. */
  securityGroups: readonly Reference[]
}

/** Nova takes a server without a network from this version on. */
const WITHOUT_NETWORK = '2.37'

const imageText = ({ image }: ServerSpec): string => image?.text ?? 'IMAGE'

const networkText = ({ network }: ServerSpec): string =>
  network === null || network === 'none' ? 'NETWORK' : network.text

/** The command of python-openstackclient that creates the server. */
export const openstackCommand = (spec: ServerSpec): Encoded<'shell'> => {
  const { name, flavor, network, keyPair, securityGroups } = spec
  const isAlone = network === 'none'
  return joinEncoded(
    [
      isAlone
        ? sh`openstack ${shellOption(sh`--os-compute-api-version`, WITHOUT_NETWORK)} server create`
        : sh`openstack server create`,
      shellOption(sh`--flavor`, flavor),
      shellOption(sh`--image`, imageText(spec)),
      isAlone ? sh`--nic none` : shellOption(sh`--network`, networkText(spec)),
      ...(keyPair === null ? [] : [shellOption(sh`--key-name`, keyPair)]),
      ...securityGroups.map(({ text }) => shellOption(sh`--security-group`, text)),
      shellOperands([name]),
    ],
    ' \\\n  ',
  )
}

const hclNetwork = (spec: ServerSpec): Encoded<'hcl'>[] =>
  spec.network === 'none'
    ? [hcl`  network_mode    = "none"`]
    : [
        hcl``,
        hcl`  network {`,
        spec.network?.isId === true
          ? hcl`    uuid = ${hclString(networkText(spec))}`
          : hcl`    name = ${hclString(networkText(spec))}`,
        hcl`  }`,
      ]

/** A resource of the Terraform provider openstack. */
export const terraformServer = (spec: ServerSpec): Encoded<'hcl'> => {
  const { name, flavor, image, keyPair, securityGroups } = spec
  const groups = joinEncoded(
    securityGroups.map(({ text }) => hclString(text)),
    ', ',
  )
  return joinEncoded(
    [
      hcl`resource "openstack_compute_instance_v2" "${hclName(name, 'server')}" {`,
      hcl`  name            = ${hclString(name)}`,
      hcl`  flavor_name     = ${hclString(flavor)}`,
      image?.isId === true
        ? hcl`  image_id        = ${hclString(image.text)}`
        : hcl`  image_name      = ${hclString(imageText(spec))}`,
      ...(keyPair === null ? [] : [hcl`  key_pair        = ${hclString(keyPair)}`]),
      ...(securityGroups.length === 0 ? [] : [hcl`  security_groups = [${groups}]`]),
      ...hclNetwork(spec),
      hcl`}`,
    ],
    '\n',
  )
}

/** A template of Heat. */
export const heatTemplate = (spec: ServerSpec): Encoded<'yaml'> => {
  const { name, flavor, network, keyPair, securityGroups } = spec
  return joinEncoded(
    [
      yaml`heat_template_version: 2018-08-31`,
      yaml`resources:`,
      yaml`  server:`,
      yaml`    type: OS::Nova::Server`,
      yaml`    properties:`,
      yaml`      name: ${yamlString(name)}`,
      yaml`      flavor: ${yamlString(flavor)}`,
      yaml`      image: ${yamlString(imageText(spec))}`,
      ...(keyPair === null ? [] : [yaml`      key_name: ${yamlString(keyPair)}`]),
      ...(securityGroups.length === 0
        ? []
        : [
            yaml`      security_groups:`,
            ...securityGroups.map(({ text }) => yaml`        - ${yamlString(text)}`),
          ]),
      yaml`      networks:`,
      network === 'none'
        ? yaml`        - allocate_network: none`
        : yaml`        - network: ${yamlString(networkText(spec))}`,
    ],
    '\n',
  )
}
