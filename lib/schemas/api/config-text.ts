import * as z from 'zod/mini'

/** A text for a deployment tool or a host. */
export const configTextSchema = z.object({
  title: z.string(),
  path: z.string(),
  language: z.enum(['ini', 'yaml', 'shell']),
  text: z.string(),
  notes: z.array(z.string()),
})

/** nova.conf as one deployment tool takes it. */
export const deploymentConfigSchema = z.object({
  deployment: z.enum(['nova-conf', 'mosk', 'openstack-helm', 'kolla-ansible', 'openstack-ansible', 'juju']),
  texts: z.array(configTextSchema),
  /** Of all texts, where an answer has the first ones. */
  textCount: z.optional(z.int()),
  /** Why there are no texts. */
  problem: z.nullable(z.string()),
})
