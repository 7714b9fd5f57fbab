// A development server that compresses: `node proxy.mjs PORT URL`.
import compression from "compression";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

const [, , port, target] = process.argv;
const app = express();
app.use(compression());
app.use(createProxyMiddleware({ target, changeOrigin: true }));
app.listen(Number(port), "127.0.0.1");
