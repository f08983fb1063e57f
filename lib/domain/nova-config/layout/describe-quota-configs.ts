import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { novaConf, novaConfValue } from '@/lib/util/encode/nova-conf'
import { yamlDocument } from '@/lib/util/encode/yaml'
import type { ConfigDeployment, ConfigText } from './config-text'
import { type DeploymentConfig, likelyFirst } from './describe-configs'
import { iniText, type NovaSection, sectionMap } from './nova-sections'

/** The settings that nova-api and nova-conductor need. */
export type QuotaOptions = {
  /** Of Nova's public endpoint in Keystone; null: not known. */
  endpointId: string | null
  authUrl: string
  userName: string
  userDomainId: string
}

const PASSWORD = novaConf`<password of this user, as in [keystone_authtoken]>`

/** Source: nova/conf/quota.py, oslo_limit/opts.py; endpoint_id before discovery by names (bug 2123895). */
const sectionsOf = (
  { endpointId, authUrl, userName, userDomainId }: QuotaOptions,
  password = PASSWORD,
): NovaSection[] => [
  { name: novaConf`quota`, options: [[novaConf`driver`, novaConf`nova.quota.UnifiedLimitsDriver`]] },
  {
    name: novaConf`oslo_limit`,
    options: [
      [
        novaConf`endpoint_id`,
        endpointId === null ? novaConf`<id of the public endpoint of compute>` : novaConfValue(endpointId),
      ],
      [novaConf`auth_url`, novaConfValue(authUrl)],
      [novaConf`auth_type`, novaConf`password`],
      [novaConf`username`, novaConfValue(userName)],
      [novaConf`user_domain_id`, novaConfValue(userDomainId)],
      [novaConf`password`, password],
      [novaConf`system_scope`, novaConf`all`],
    ],
  },
]

const BOTH = 'nova-api and nova-conductor'
const CHECK =
  'Restart both, and create a test server. A mistake in [oslo_limit] makes every server creation fail, so keep a copy of the old file.'

const ini = (options: QuotaOptions): ConfigText[] => [
  {
    title: `nova.conf of ${BOTH}`,
    path: '/etc/nova/nova.conf of every host that runs either',
    language: 'ini',
    text: iniText(sectionsOf(options)),
    notes: ['nova-compute and nova-scheduler do not need these options.', CHECK],
  },
]

const kolla = (options: QuotaOptions): ConfigText[] => [
  {
    title: `nova.conf of ${BOTH}`,
    path: '/etc/kolla/config/nova/nova-api.conf\n/etc/kolla/config/nova/nova-conductor.conf\n/etc/kolla/config/nova/nova-super-conductor.conf',
    language: 'ini',
    text: iniText(sectionsOf(options, novaConf`{{ nova_keystone_password }}`)),
    notes: [
      'The content is the same for each file. Kolla-Ansible fills in the password from passwords.yml.',
      'Roll it out with "kolla-ansible reconfigure --tags nova" with your inventory.',
      CHECK,
    ],
  },
]

const openstackAnsible = (options: QuotaOptions): ConfigText[] => [
  {
    title: `Variables of ${BOTH}`,
    path: '/etc/openstack_deploy/group_vars/nova_api_os_compute.yml\n/etc/openstack_deploy/group_vars/nova_conductor.yml',
    language: 'yaml',
    text: yamlDocument(
      { nova_nova_conf_overrides: sectionMap(sectionsOf(options, novaConf`{{ nova_service_password }}`)) },
      { hasOwnTemplates: true },
    ),
    notes: [
      'Merge it with existing overrides in the files.',
      'Roll it out with "openstack-ansible os-nova-install.yml --tags nova-config".',
      CHECK,
    ],
  },
]

const helm = (options: QuotaOptions): ConfigText[] => [
  {
    title: 'Values of the chart nova',
    path: 'conf:nova in the values of the release nova',
    language: 'yaml',
    text: yamlDocument({ conf: { nova: sectionMap(sectionsOf(options)) } }),
    notes: [
      'The chart writes one nova.conf for all Nova services. nova-compute ignores these options.',
      'Apply it with "helm upgrade nova … --values".',
      CHECK,
    ],
  },
]

const mosk = (options: QuotaOptions): ConfigText[] => [
  {
    title: 'The OpenStackDeployment',
    path: 'spec:services:compute:nova:values:conf:nova of the OpenStackDeployment',
    language: 'yaml',
    text: yamlDocument({
      apiVersion: 'lcm.mirantis.com/v1alpha1',
      kind: 'OpenStackDeployment',
      spec: {
        services: { compute: { nova: { values: { conf: { nova: sectionMap(sectionsOf(options)) } } } } },
      },
    }),
    notes: [
      'Merge it with "kubectl -n openstack edit osdpl". The controller does not validate values under spec:services.',
      CHECK,
    ],
  },
]

const JUJU =
  'The charm does not support this: its option config-flags only sets [DEFAULT], and [oslo_limit] is required.'

const TEXTS: Readonly<Record<ConfigDeployment, ((options: QuotaOptions) => ConfigText[]) | null>> = {
  'nova-conf': ini,
  'kolla-ansible': kolla,
  'openstack-ansible': openstackAnsible,
  'openstack-helm': helm,
  mosk,
  juju: null,
}

/** The options of unified limits for every deployment tool, the one that the hosts seem to be deployed with first. */
export const describeQuotaConfigs = (
  options: QuotaOptions,
  reported: readonly NovaConfig['deployment'][],
): DeploymentConfig[] =>
  likelyFirst(reported).map((deployment) => {
    const texts = TEXTS[deployment]
    return texts === null
      ? { deployment, texts: [], problem: JUJU }
      : { deployment, texts: texts(options), problem: null }
  })
