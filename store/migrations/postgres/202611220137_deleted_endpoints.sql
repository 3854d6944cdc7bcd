-- Deleted endpoints go once their deliveries have gone. They are few among all endpoints.
-- Allows: 202611212031
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (deleted_ms) WHERE deleted_ms IS NOT NULL;
