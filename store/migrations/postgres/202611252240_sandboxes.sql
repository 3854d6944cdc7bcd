-- The workspaces that `daybook bench` left when it was killed are deleted. They are known by their ids, which lie above
-- those of all others, from 2^47. This marks them as gone, as a deletion does; their rows go in small steps afterwards.
-- Allows: 202611231900
UPDATE hosts SET lock = lock + 1 WHERE workspace_id >= 140737488355328;
DELETE FROM push_queue WHERE workspace_id >= 140737488355328;
DELETE FROM push_subscriptions WHERE workspace_id >= 140737488355328;
DELETE FROM push_keys WHERE workspace_id >= 140737488355328;
DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE workspace_id >= 140737488355328);
DELETE FROM invitations WHERE user_id IN (SELECT id FROM users WHERE workspace_id >= 140737488355328);
DELETE FROM oauth_grants WHERE workspace_id >= 140737488355328;
DELETE FROM passkeys WHERE workspace_id >= 140737488355328;
DELETE FROM authenticators WHERE workspace_id >= 140737488355328;
DELETE FROM recovery_codes WHERE workspace_id >= 140737488355328;
DELETE FROM users WHERE workspace_id >= 140737488355328;
DELETE FROM calendar_feeds WHERE workspace_id >= 140737488355328;
UPDATE calendar_connections SET secret = '', state = 'refused' WHERE workspace_id >= 140737488355328;
DELETE FROM calendar_watches WHERE workspace_id >= 140737488355328;
DELETE FROM calendar_clients WHERE workspace_id >= 140737488355328;
DELETE FROM calendar_sign_ins WHERE workspace_id >= 140737488355328;
DELETE FROM mail_servers WHERE workspace_id >= 140737488355328;
DELETE FROM retentions WHERE workspace_id >= 140737488355328;
DELETE FROM payment_accounts WHERE workspace_id >= 140737488355328;
DELETE FROM cancellation_items WHERE workspace_id >= 140737488355328;
DELETE FROM cancellations WHERE workspace_id >= 140737488355328;
UPDATE webhook_endpoints SET enabled = 0, secret = '', previous_secret = NULL, deleted_ms = COALESCE(deleted_ms,
    created_ms) WHERE workspace_id >= 140737488355328;
UPDATE workspaces SET gone_ms = created_ms, slug = 'deleted:' || id, name = '', link_key = '', settings = '{}',
    revision = revision + 1 WHERE id >= 140737488355328 AND gone_ms IS NULL;
