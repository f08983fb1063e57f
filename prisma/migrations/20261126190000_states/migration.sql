-- A state column holds the values of its list in lib/schemas/states.ts and no others.

-- Releases before may have stored reasons that this one reads as "refused".
UPDATE "session" SET "end_reason" = 'refused' WHERE "end_reason" NOT IN ('signed-out', 'ended-elsewhere', 'refused', 'secret-changed');

ALTER TABLE "agent_command"
  ADD CONSTRAINT "agent_command_state_check" CHECK ("state" IN ('queued', 'delivered', 'done', 'refused', 'failed', 'interrupted', 'expired', 'withdrawn'));

ALTER TABLE "api_token"
  ADD CONSTRAINT "api_token_access_check" CHECK ("access" IN ('read', 'write')),
  ADD CONSTRAINT "api_token_role_check" CHECK ("role" IN ('admin', 'reader', 'tenant')),
  ADD CONSTRAINT "api_token_scope_kind_check" CHECK ("scope_kind" IN ('project', 'system'));

ALTER TABLE "capacity_roll_up"
  ADD CONSTRAINT "capacity_roll_up_dimension_check" CHECK ("dimension" IN ('all', 'type', 'model', 'aggregate', 'flavor', 'project')),
  ADD CONSTRAINT "capacity_roll_up_step_check" CHECK ("step" IN ('hour', 'day'));

ALTER TABLE "change"
  ADD CONSTRAINT "change_state_check" CHECK ("state" IN ('planned', 'running', 'stopped', 'undoing', 'done', 'undone', 'dropped'));

ALTER TABLE "change_step"
  ADD CONSTRAINT "change_step_state_check" CHECK ("state" IN ('pending', 'running', 'waiting', 'blocked', 'done', 'failed', 'undone', 'skipped'));

ALTER TABLE "expected_exhaustion"
  ADD CONSTRAINT "expected_exhaustion_dimension_check" CHECK ("dimension" IN ('type', 'aggregate'));

ALTER TABLE "finding"
  ADD CONSTRAINT "finding_severity_check" CHECK ("severity" IN ('error', 'warning', 'info')),
  ADD CONSTRAINT "finding_subject_kind_check" CHECK ("subject_kind" IN ('cloud', 'host', 'pgpu', 'provider', 'server', 'flavor', 'limit', 'trait', 'aggregate'));

ALTER TABLE "finding_event"
  ADD CONSTRAINT "finding_event_kind_check" CHECK ("kind" IN ('opened', 'closed', 'reopened', 'acknowledged', 'acknowledgement-ended')),
  ADD CONSTRAINT "finding_event_severity_check" CHECK ("severity" IN ('error', 'warning', 'info'));

ALTER TABLE "pending_enrollment"
  ADD CONSTRAINT "pending_enrollment_decision_check" CHECK ("decision" IN ('approved', 'approved as new', 'declined')),
  ADD CONSTRAINT "pending_enrollment_reason_check" CHECK ("reason" IN ('live-credential', 'removed-host'));

ALTER TABLE "pgpu"
  ADD CONSTRAINT "pgpu_finding_severity_check" CHECK ("finding_severity" IN ('error', 'warning', 'info')),
  ADD CONSTRAINT "pgpu_framework_check" CHECK ("framework" IN ('mdev', 'mdev-sriov', 'vendor-vfio', 'passthrough', 'none'));

ALTER TABLE "pgpu_cloud"
  ADD CONSTRAINT "pgpu_cloud_finding_severity_check" CHECK ("finding_severity" IN ('error', 'warning', 'info')),
  ADD CONSTRAINT "pgpu_cloud_service_state_check" CHECK ("service_state" IN ('up', 'down', 'disabled', 'unknown'));

ALTER TABLE "pgpu_cloud_change"
  ADD CONSTRAINT "pgpu_cloud_change_service_state_check" CHECK ("service_state" IN ('up', 'down', 'disabled', 'unknown'));

ALTER TABLE "pgpu_point"
  ADD CONSTRAINT "pgpu_point_framework_check" CHECK ("framework" IN ('mdev', 'mdev-sriov', 'vendor-vfio', 'passthrough', 'none'));

ALTER TABLE "quota_driver"
  ADD CONSTRAINT "quota_driver_driver_check" CHECK ("driver" IN ('unified', 'legacy'));

ALTER TABLE "quota_request"
  ADD CONSTRAINT "quota_request_state_check" CHECK ("state" IN ('open', 'withdrawn', 'declined', 'approved', 'ended'));

ALTER TABLE "refused_server"
  ADD CONSTRAINT "refused_server_reason_check" CHECK ("reason" IN ('no-valid-host', 'over-limit', 'build-failed'));

ALTER TABLE "review"
  ADD CONSTRAINT "review_filter_by_check" CHECK ("filter_by" IN ('all', 'type', 'model', 'aggregate'));

ALTER TABLE "roll_up_label"
  ADD CONSTRAINT "roll_up_label_dimension_check" CHECK ("dimension" IN ('all', 'type', 'model', 'aggregate', 'flavor', 'project'));

ALTER TABLE "session"
  ADD CONSTRAINT "session_end_reason_check" CHECK ("end_reason" IN ('signed-out', 'ended-elsewhere', 'refused', 'secret-changed')),
  ADD CONSTRAINT "session_method_check" CHECK ("method" IN ('password', 'websso')),
  ADD CONSTRAINT "session_role_check" CHECK ("role" IN ('admin', 'reader', 'tenant')),
  ADD CONSTRAINT "session_scope_kind_check" CHECK ("scope_kind" IN ('project', 'system'));

ALTER TABLE "utilisation_day"
  ADD CONSTRAINT "utilisation_day_kind_check" CHECK ("kind" IN ('pgpu', 'vgpu'));

ALTER TABLE "utilisation_five"
  ADD CONSTRAINT "utilisation_five_kind_check" CHECK ("kind" IN ('pgpu', 'vgpu'));

ALTER TABLE "utilisation_hour"
  ADD CONSTRAINT "utilisation_hour_kind_check" CHECK ("kind" IN ('pgpu', 'vgpu'));

ALTER TABLE "utilisation_minute"
  ADD CONSTRAINT "utilisation_minute_kind_check" CHECK ("kind" IN ('pgpu', 'vgpu', 'seconds'));

ALTER TABLE "utilisation_roll_up"
  ADD CONSTRAINT "utilisation_roll_up_dimension_check" CHECK ("dimension" IN ('all', 'type', 'model', 'aggregate', 'flavor', 'project')),
  ADD CONSTRAINT "utilisation_roll_up_step_check" CHECK ("step" IN ('hour', 'day'));

ALTER TABLE "utilisation_vgpu_hour"
  ADD CONSTRAINT "utilisation_vgpu_hour_kind_check" CHECK ("kind" IN ('pgpu', 'vgpu'));

ALTER TABLE "webhook"
  ADD CONSTRAINT "webhook_finding_severity_check" CHECK ("finding_severity" IN ('error', 'warning', 'info')),
  ADD CONSTRAINT "webhook_form_check" CHECK ("form" IN ('json', 'slack'));

ALTER TABLE "webhook_delivery"
  ADD CONSTRAINT "webhook_delivery_state_check" CHECK ("state" IN ('waiting', 'taken', 'given-up'));
